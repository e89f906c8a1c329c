import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 * @typedef {Record<string, string>} Pages what a server answers beside its own answers, by path
 */

const toolsFile = new URL(
  '../packages/isolated/src/fixtures/isolated.fixtures.worker.ts',
  import.meta.url,
)
const faultToolsFile = new URL(
  '../packages/core/src/tools/fixtures/faults.fixtures.worker.ts',
  import.meta.url,
)
const strictPageFile = new URL(
  '../packages/isolated/src/fixtures/strict-page.fixtures.ts',
  import.meta.url,
)
/** @type {Map<string, { server: import('node:http').Server, requests: string[] }>} */
const servers = new Map()

/** What tests in the browser need from Node: a build of one file, and real servers. */
export const browserCommands = {
  /** The isolated tools of the tests with their imports, as one file. */
  isolatedTools: () => bundle(toolsFile),

  /** The tools that fail in the tests of workers, as one file. */
  faultTools: () => bundle(faultToolsFile),

  /**
   * Starts a server and returns its origin.
   * @param {unknown} _
   * @param {Pages} [pages]
   */
  startServer: async (_, pages = {}) => {
    /** @type {string[]} */
    const requests = []
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.headers.host}${request.url}`)
      answer(request, response, pages).catch(() => response.destroy())
    })
    server.on('upgrade', ({ headers, url }, socket) => {
      requests.push(`upgrade ${headers.host}${url}`)
      socket.destroy()
    })
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const origin = `http://127.0.0.1:${port}`
    servers.set(origin, { server, requests })
    return origin
  },

  /**
   * Every request that has arrived at a server, in order.
   * @param {unknown} _
   * @param {string} origin
   */
  requestsAt: (_, origin) => servers.get(origin)?.requests ?? [],

  /**
   * @param {unknown} _
   * @param {string} origin
   */
  stopServer: (_, origin) => {
    const { server } = servers.get(origin) ?? {}
    servers.delete(origin)
    server?.closeAllConnections()
    server?.close()
  },
}

/** @param {URL} file */
async function bundle(file) {
  const { output } = await build({
    input: fileURLToPath(file),
    write: false,
    logLevel: 'silent',
    output: { format: 'esm', codeSplitting: false },
  })
  return output[0].code
}

/**
 * Answers by the path; every origin may read it.
 * @param {Request} request
 * @param {Response} response
 * @param {Pages} pages
 */
async function answer(request, response, pages) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://none')
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-allow-headers', '*')
  response.setHeader('set-cookie', 'taken=1')
  switch (pathname) {
    case '/echo': {
      const body = await textOf(request)
      const { cookie, referer, 'x-own': own } = request.headers
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ method: request.method, body, cookie, referer, own }))
    }
    case '/empty':
      return response.writeHead(204).end()
    case '/redirect':
      return response.writeHead(302, { location: searchParams.get('to') ?? '/' }).end()
    case '/large':
      return Readable.from(chunks(100)).pipe(response)
    case '/slow':
      // Starts an answer that never ends.
      response.write('a')
      return undefined
    case '/strict': {
      response.setHeader('content-type', 'text/html')
      response.setHeader('content-security-policy', searchParams.get('policy') ?? '')
      return response.end(
        '<!doctype html><body><script type="module" src="/strict-page.js"></script>',
      )
    }
    case '/strict-page.js':
      response.setHeader('content-type', 'text/javascript')
      return response.end(await bundle(strictPageFile))
    case '/tools.js':
      response.setHeader('content-type', 'text/javascript')
      return response.end(await bundle(toolsFile))
    default: {
      const page = pages[pathname]
      if (page === undefined) return response.writeHead(404).end('There is nothing here.')
      const isScript = pathname.endsWith('.js')
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      // As the documentation says for the page of a frame.
      if (pathname === '/frame.html') {
        response.setHeader('content-security-policy', 'sandbox allow-scripts')
      }
      return response.end(page)
    }
  }
}

/** @param {Request} request */
async function textOf(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

/** @param {number} count */
function* chunks(count) {
  for (let i = 0; i < count; i++) yield Buffer.alloc(100_000)
}
