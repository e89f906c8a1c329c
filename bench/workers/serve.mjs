import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

/** @param {string} file beside this one @returns {Promise<string>} one minified module with all it imports */
export async function bundle(file) {
  const { output } = await build({
    input: fileURLToPath(new URL(file, import.meta.url)),
    write: false,
    logLevel: 'silent',
    platform: 'browser',
    output: { format: 'esm', codeSplitting: false, minify: true },
  })
  return output[0].code
}

const page =
  '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>'

const headers = {
  // As a page's assets are served: fetched once.
  'cache-control': 'public, max-age=31536000, immutable',
  // Without these a page's clock counts in steps of 0.1 ms, longer than what is measured here.
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}

/**
 * Serves scripts by their paths, and a page that loads `/page.js` at `/`. What the page posts to `/told` is given to
 * `hear` as JSON.
 * @param {Readonly<Record<string, string>>} scripts
 * @param {(told: unknown) => void} hear
 */
export async function serve(scripts, hear) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page')
    if (pathname === '/told') {
      read(request).then(
        (told) => {
          hear(told)
          response.end()
        },
        () => response.destroy(),
      )
      return
    }
    const script = scripts[pathname]
    const type = script === undefined ? 'text/html' : 'text/javascript'
    if (script === undefined && pathname !== '/') response.writeHead(404).end()
    else response.writeHead(200, { ...headers, 'content-type': type }).end(script ?? page)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    origin: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** @param {import('node:http').IncomingMessage} request @returns {Promise<unknown>} */
async function read(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}
