/** Where the worker keeps the port to the broker, for `brokeredFetch`. */
export const brokerKey = 'offthread.broker'

/** The most lines of isolated code in the console of the browser. The log of its call has more. */
const maxConsoleLines = 500
const maxConsoleChars = 2000
/** How often isolated code may try what its policy refuses. */
const maxRefused = 100

/**
 * The script of the worker in the isolated frame: it waits for code, makes the port to the relay look like the channel
 * that every worker has, and imports the code. Its own channel leads to the frame's thread, which in some browsers is
 * that of the page, so it is taken away before; errors do not go there either. It is classic, because a module worker
 * from a blob does not start in an opaque origin in Chromium, and it is text, because a bundler would rewrite its
 * import().
 *
 * What is written to the console, an error that no code catches, and all that a worker of this worker does of these, take
 * time of the frame's thread, too. So the console takes 500 short texts, errors are kept here, and there are no workers
 * in it; only the self-test starts one. The browser writes a line for each request that the policy refuses, so there is no
 * `XMLHttpRequest`, whose requests are all refused, and code that goes on with other ways ends. The code may replace every
 * method of the platform, so this uses only what it has taken before.
 */
export const workerScript: string = `
onmessage = ({ ports: [wire] }) => {
  onmessage = null
  const { apply } = Reflect
  const { preventDefault } = Event.prototype
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
  self.postMessage = (message, options) => wire.postMessage(message, options)
  const fail = (message) => wire.postMessage({ type: 'broken', message })
  const { close } = self
  let refused = 0
  addEventListener('securitypolicyviolation', () => {
    refused += 1
    if (refused <= ${maxRefused}) return
    fail('The isolated code tried over ${maxRefused} times what its policy refuses, such as an import from the network.')
    close()
  })
  addEventListener('error', (event) => {
    keep(event)
    // Later, because the runtime of the tool says it better, if it is there.
    setTimeout(fail, 0, event.message)
  })
  wire.onmessage = ({ data: { text, broker, workers } }) => {
    if (!workers) for (const name of ['Worker', 'XMLHttpRequest']) delete self[name]
    if (broker) self[Symbol.for('${brokerKey}')] = broker
    wire.onmessage = ({ data }) => dispatchEvent(new MessageEvent('message', { data }))
    const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
    import(address).catch((error) => {
      fail('The isolated script failed: ' + error + ' It must be one file that imports nothing.')
    })
  }
}
`
