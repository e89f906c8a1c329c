/**
 * The script of the isolated frame: it starts two workers, the relay and the one for the code, hands the port of the
 * page to the relay, and does nothing else. No tool's code ever runs on the frame's own thread. The probe, which is the
 * self-test's, is another script of the page.
 *
 * It is text, not a function, because a bundler would rewrite a function; and it refuses to work in a frame that has an
 * origin: a static copy of the page that is embedded without a sandbox would otherwise run the code in its own origin.
 */
export const frameScript = `
onmessage = (event) => {
  const [control, wire] = event.ports
  if (event.source !== parent || !wire) return
  onmessage = null
  const fail = (message) => control.postMessage({ type: 'failed', message: String(message).slice(0, 1000) })
  if (origin !== 'null') return fail('The frame is not sandboxed: it has the origin ' + origin + '.')
  const reached = []
  const reach = (name, look) => { try { look(); reached.push(name) } catch {} }
  reach('parent', () => parent.document.body)
  reach('top', () => top.location.href)
  control.postMessage({ type: 'kept', reached })
  const addressOf = (script) => URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
  const start = (script, ports) => {
    const worker = new Worker(addressOf(script))
    let isOver = false
    // An error that no code could keep in the worker. Its text, of any length, does not go to the console.
    worker.onerror = (event) => {
      event.preventDefault()
      worker.terminate()
      if (!isOver) fail(event.message || 'The isolated frame may not start a worker: a Content-Security-Policy forbids it (worker-src blob:), or in WebKit the Cross-Origin-Embedder-Policy of the page.')
      isOver = true
    }
    worker.postMessage(null, ports)
  }
  try {
    const { relay, tool, probe } = event.data
    const { port1, port2 } = new MessageChannel()
    start(relay, [wire, port1])
    start(tool, [port2])
    if (!probe) return
    self.probed = (escaped) => control.postMessage({ type: 'probed', escaped })
    const script = document.createElement('script')
    script.src = addressOf(probe)
    document.head.append(script)
  } catch (error) {
    fail(error)
  }
}
`
