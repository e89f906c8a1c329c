/** Where the worker keeps the port to the broker, for `brokeredFetch`. */
export const brokerKey = 'offthread.broker'

/**
 * The script of the worker in the isolated frame: it waits for code, makes the port to the relay look like the channel
 * that every worker has, and imports the code. Its own channel leads to the frame's thread, which in some browsers is
 * that of the page, so it is taken away before; errors do not go there either. It is classic, because a module worker
 * from a blob does not start in an opaque origin in Chromium, and it is text, because a bundler would rewrite its
 * import().
 */
export const workerScript: string = `
onmessage = ({ ports: [wire] }) => {
  onmessage = null
  for (let holder = self; holder; holder = Object.getPrototypeOf(holder)) delete holder.postMessage
  self.postMessage = (message, options) => wire.postMessage(message, options)
  const fail = (message) => wire.postMessage({ type: 'broken', message })
  addEventListener('error', (event) => {
    event.preventDefault()
    // Later, because the runtime of the tool says it better, if it is there.
    setTimeout(fail, 0, event.message)
  })
  wire.onmessage = ({ data: { text, broker } }) => {
    if (broker) self[Symbol.for('${brokerKey}')] = broker
    wire.onmessage = ({ data }) => dispatchEvent(new MessageEvent('message', { data }))
    const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
    import(address).catch((error) => {
      fail('The isolated script failed: ' + error + ' It must be one file that imports nothing.')
    })
  }
}
`
