/**
 * The script of the isolated frame: it starts one worker, hands it its port, and does nothing else. No tool's code
 * ever runs on the frame's own thread.
 *
 * It is text, not a function, because a bundler would rewrite a function; and it refuses to work in a frame that has an
 * origin: a static copy of the page that is embedded without a sandbox would otherwise run the code in its own origin.
 */
export const frameScript = `
onmessage = (event) => {
  const [control, wire] = event.ports
  if (event.source !== parent || !wire) return
  onmessage = null
  const fail = (message) => control.postMessage({ type: 'failed', message })
  if (origin !== 'null') return fail('The frame is not sandboxed: it has the origin ' + origin + '.')
  const reached = []
  const reach = (name, look) => { try { look(); reached.push(name) } catch {} }
  reach('parent', () => parent.document.body)
  reach('top', () => top.location.href)
  reach('cookies', () => document.cookie)
  control.postMessage({ type: 'kept', reached })
  try {
    const script = new Blob([event.data], { type: 'text/javascript' })
    const worker = new Worker(URL.createObjectURL(script))
    worker.onerror = ({ message }) => fail(message || 'The isolated frame may not start a worker: a Content-Security-Policy forbids it (worker-src blob:).')
    worker.postMessage(wire, [wire])
  } catch (error) {
    fail(String(error))
  }
}
`
