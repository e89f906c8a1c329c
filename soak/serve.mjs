import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

/**
 * @param {URL} file
 * @param {{ minify?: boolean }} [options]
 * @returns {Promise<string>} one module with all it imports
 */
export async function bundle(file, { minify = false } = {}) {
  const { output } = await build({
    input: fileURLToPath(file),
    write: false,
    logLevel: 'silent',
    platform: 'browser',
    output: { format: 'esm', codeSplitting: false, minify },
  })
  return output[0].code
}

const page =
  '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>'

/**
 * Serves scripts by their paths, and a page that loads `/page.js` at `/`. What is posted to the path of a listener is
 * given to it as JSON; what it returns is the answer.
 * @param {Readonly<Record<string, string>>} scripts
 * @param {Readonly<Record<string, (posted: unknown) => unknown>>} [listeners]
 * @param {Readonly<Record<string, string>>} [headers] of the page and its scripts
 */
export async function serve(scripts, listeners = {}, headers = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page')
    const listener = listeners[pathname]
    if (listener) {
      answerOf(request, listener).then(
        (answer) => response.end(answer),
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

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {(posted: unknown) => unknown} listener
 */
async function answerOf(request, listener) {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.stringify(listener(JSON.parse(text)) ?? null)
}
