import { importlessScript } from './importless-script.ts'

/** Where the worker keeps the port to the broker, for `brokeredFetch`. */
export const brokerKey = 'offthread.broker'

/** The most lines of isolated code in the console of the browser. The log of its call has more. */
const maxConsoleLines = 500
const maxConsoleChars = 2000
/** How often isolated code may try what its policy refuses. */
const maxRefused = 100

/**
 * The names that lead out of the worker. The policy refuses their use, but each refusal takes time of the browser's own
 * process, or of the frame's thread, so they are removed for all code but the self-test. A `MessageChannel` leads
 * nowhere, but in WebKit each one and each of its messages takes time of the page's thread.
 */
const waysOut = [
  'importScripts fetch XMLHttpRequest EventSource WebSocket WebSocketStream WebTransport MessageChannel',
  'FontFace fonts BroadcastChannel caches indexedDB Notification PressureObserver IdleDetector FileSystemObserver',
  'webkitRequestFileSystem webkitRequestFileSystemSync webkitResolveLocalFileSystemURL',
  'webkitResolveLocalFileSystemSyncURL',
].join(' ')

/**
 * The names that start workers. They are removed for the self-test as well: in a Firefox that a program drives, a
 * worker that starts another may stand still for ever.
 */
export const starters: readonly string[] = ['Worker', 'SharedWorker']

/** A script that imports nothing is always found, so a load that fails was forbidden by the policy. */
const forbiddenHint =
  " (The script-src of the page's Content-Security-Policy has no blob:, so serve isolatedFrameHtml() as a static file and name it in frameUrl.)"

/**
 * The script of the worker in the isolated frame: it waits for code, makes the port to the relay look like the channel
 * that every worker has, and imports the code. Its own channel leads to the frame's thread, which in some browsers is
 * that of the page, so it is taken away before; errors do not go there either. It is classic, because a module worker
 * from a blob does not start in an opaque origin in Chromium, and it is text, because a bundler would rewrite its
 * import().
 *
 * What is written to the console, an error that no code catches, and what the policy refuses take time of the frame's
 * thread, too, and what needs an origin takes time of the browser. So the console takes 500 short texts, errors are kept
 * here, nothing is there that leads out, the code imports nothing, and code that goes on with what is refused ends. The
 * code may replace every method of the platform, so this uses only what it has taken before.
 */
export const workerScript: string = `
onmessage = ({ ports: [wire] }) => {
  onmessage = null
  ${importlessScript}
  const { apply } = Reflect
  const { preventDefault, stopImmediatePropagation } = Event.prototype
  const { get: messageIn } = Object.getOwnPropertyDescriptor(ErrorEvent.prototype, 'message')
  const { slice } = String.prototype
  const { postMessage } = MessagePort.prototype
  const keep = (event) => apply(preventDefault, event, [])
  addEventListener('unhandledrejection', keep)
  let shown = 0
  for (const name of Object.keys(console)) {
    const write = console[name]
    if (typeof write !== 'function') continue
    console[name] = (...values) => {
      if (shown >= ${maxConsoleLines}) return
      shown += 1
      let text = ''
      for (let i = 0; i < values.length && i < 20 && text.length < ${maxConsoleChars}; i++) {
        const value = values[i]
        try { text += (i > 0 ? ' ' : '') + (typeof value === 'object' && !(value instanceof Error) ? JSON.stringify(value) : String(value)) } catch {}
      }
      apply(write, console, [text.length > ${maxConsoleChars} ? 'A line of over ${maxConsoleChars} characters.' : text])
    }
  }
  for (let holder = self; holder; holder = Object.getPrototypeOf(holder)) delete holder.postMessage
  self.postMessage = (message, options) => apply(postMessage, wire, [message, options])
  const fail = (message) => apply(postMessage, wire, [{ type: 'broken', message }])
  const { close } = self
  let refused = 0
  addEventListener('securitypolicyviolation', () => {
    refused += 1
    if (refused <= ${maxRefused}) return
    fail('The isolated code tried over ${maxRefused} times what its policy refuses, such as an import from the network.')
    close()
  })
  const without = (start, text) => apply(slice, text, [0, start.length]) === start ? apply(slice, text, [start.length]) : text
  addEventListener('error', (event) => {
    keep(event)
    // What a listener of the code throws now would be reported in the frame.
    apply(stopImmediatePropagation, event, [])
    fail(without('Error: ', without('Uncaught ', apply(slice, apply(messageIn, event, []), [0, ${maxConsoleChars}]))))
  })
  const remove = (holder, names) => {
    for (; holder; holder = Object.getPrototypeOf(holder)) for (const name of names) delete holder[name]
  }
  const isOut = (name) => {
    try { return !['gpu', 'languages'].includes(name) && ['object', 'function'].includes(typeof navigator[name]) } catch { return true }
  }
  const isForbidden = (error) => error instanceof TypeError && /dynamically imported|importing a module/i.test(error.message)
  wire.onmessage = ({ data: { text, broker, probes } }) => {
    if (broker) self[Symbol.for('${brokerKey}')] = broker
    wire.onmessage = ({ data }) => dispatchEvent(new MessageEvent('message', { data }))
    const failed = (error) => fail('The isolated script failed: ' + error + (isForbidden(error) ? ${JSON.stringify(forbiddenHint)} : ' It must be one file that imports nothing.'))
    const addressOf = (code) => URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
    remove(self, ${JSON.stringify(starters)})
    if (probes) return void import(addressOf(text)).catch(failed)
    const [first, second] = [withoutImports(text), withoutDynamicImports(text)].map(addressOf)
    remove(self, '${waysOut}'.split(' '))
    remove(URL, ['createObjectURL', 'revokeObjectURL'])
    remove(navigator, Object.keys(Object.getPrototypeOf(navigator)).filter(isOut))
    self.fetch = () => Promise.reject(new TypeError('Isolated code has no network of its own: brokeredFetch asks the page.'))
    self.refuseImport = () => Promise.reject(new TypeError('Isolated code imports nothing.'))
    import(first)
      .catch((error) => {
        if (error instanceof SyntaxError) return import(second)
        throw error
      })
      .catch(failed)
  }
}
`
