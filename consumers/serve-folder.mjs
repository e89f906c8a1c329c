import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'

/** @type {Record<string, string>} */
const mediaTypes = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
}

/**
 * Serves a folder as it is, on a port of its own: what every static host does, and nothing more.
 *
 * @param {string} folder
 * @param {Record<string, string>} [headers] sent with every answer
 * @returns {Promise<{ origin: string, stop: () => Promise<void> }>}
 */
export async function serveFolder(folder, headers = {}) {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://none')
    const path = join(
      folder,
      normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname),
    )
    if (!existsSync(path) || !statSync(path).isFile()) {
      response.writeHead(404).end('There is nothing here.')
      return
    }
    const type = mediaTypes[extname(path)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type, ...headers }).end(readFileSync(path))
  })
  const port = await listen(server)
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A port on which no server listens now. */
export async function freePort() {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * @param {import('node:http').Server} server
 * @returns {Promise<number>}
 */
function listen(server) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (typeof address === 'object' && address) resolve(address.port)
      else reject(new Error('The server has no port.'))
    })
  })
}
