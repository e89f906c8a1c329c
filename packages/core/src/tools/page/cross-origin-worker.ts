import type { PlatformType } from '../../internal/platform-type.ts'

/**
 * Starts a module worker whose script lies on another origin: a CDN, a static host. A browser refuses such a
 * script to `new Worker`, so what is started is a Blob that imports it. A script of the page's own origin is
 * started directly, as it is in development. To a page in a sandboxed frame without an origin every script is foreign.
 *
 * The other origin must allow it (`Access-Control-Allow-Origin`, a JavaScript MIME type), and so must the page's
 * CSP, if it has one: `worker-src blob:`, and the other origin in `script-src` and, for Firefox, in `worker-src`. What
 * the script fails with arrives as an `error` event of the worker, with a message.
 *
 * The address is absolute, or relative to the page. Throws a `TypeError` for one that is neither http nor https.
 *
 * @example
 * ```ts
 * // Vite. Without a bundler: new URL('./tools.worker.js', import.meta.url).
 * // webpack needs none of this: output.workerPublicPath '/' has it load workers from the page's own origin.
 * import address from './tools.worker.ts?worker&url'
 *
 * const tools = inWorkers([countPrimes], () => crossOriginWorker(address))
 * ```
 */
export function crossOriginWorker(url: string | URL): PlatformType<'Worker'> {
  const script = parseAddress(url)
  if (script.origin === origin) return new Worker(script, { type: 'module' })

  const blob = new Blob([importing(script.href)], { type: 'text/javascript' })
  const address = URL.createObjectURL(blob)
  // Chromium starts no module of a Blob on a page without an origin.
  const worker = new Worker(address, { type: origin === 'null' ? 'classic' : 'module' })

  // The address is needed until the Blob has been read: by the worker's first message or error, it has been.
  const revoke = () => {
    worker.removeEventListener('message', revoke)
    worker.removeEventListener('error', revoke)
    URL.revokeObjectURL(address)
  }
  worker.addEventListener('message', revoke)
  worker.addEventListener('error', revoke)
  const terminate = worker.terminate.bind(worker)
  worker.terminate = () => {
    terminate()
    revoke()
  }
  return worker
}

function parseAddress(url: string | URL): URL {
  const base = typeof document === 'undefined' ? location.href : document.baseURI
  const script = URL.canParse(String(url), base) ? new URL(url, base) : undefined
  if (script?.protocol === 'https:' || script?.protocol === 'http:') return script
  const given = JSON.stringify(String(url).slice(0, 80))
  throw new TypeError(
    `crossOriginWorker needs the http or https address of a worker's script, not ${given}. If that begins with data:, the bundler took the script for an asset: see docs/csp-and-assets.md.`,
  )
}

/**
 * A script that imports another one dynamically, because only then its compiled code is cached, and its failure has a
 * message. A timer throws the failure again: so it becomes an `error` event, while a rejection would not reach the page.
 */
function importing(address: string): string {
  return `
const address = ${JSON.stringify(address)}
import(address).catch((error) => {
  const { message } = error ?? {}
  const isLoading = error instanceof TypeError && /import|module|MIME type|cross-origin/i.test(message)
  const isUnbundled = isLoading && /specifier|does not resolve/i.test(message)
  const hint = isUnbundled
    ? ' (The script was not bundled: what it imports by name has no address. With webpack set output.workerPublicPath instead; see docs/csp-and-assets.md.)'
    : isLoading
      ? ' Check the address, Access-Control-Allow-Origin and the MIME type of its answer, and script-src and worker-src of the CSP.'
      : ''
  setTimeout(() => {
    const text = String(message ?? error)
    const stop = hint !== '' && !text.endsWith('.') ? '.' : ''
    throw new Error('The worker script ' + address + ' failed: ' + text + stop + hint, { cause: error })
  })
})
`
}
