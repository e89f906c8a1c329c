/** Where the worker keeps the port to the broker, for `brokeredFetch`. */
export const brokerKey = 'offthread.broker'

/**
 * The script of the worker in the isolated frame: it waits for code, makes the port to the page look like the channel
 * that every worker has, and imports the code. It is classic, because a module worker from a blob does not start in
 * an opaque origin in Chromium, and it is text, because a bundler would rewrite its import().
 */
export const workerScript: string = `
onmessage = ({ data: wire }) => {
  onmessage = null
  const tell = (type, init) => dispatchEvent(new MessageEvent(type, init))
  wire.onmessage = ({ data: { text, broker } }) => {
    if (broker) self[Symbol.for('${brokerKey}')] = broker
    self.postMessage = (message, options) => wire.postMessage(message, options)
    wire.onmessage = ({ data, ports }) => tell('message', { data, ports })
    wire.onmessageerror = () => tell('messageerror')
    const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
    import(address).catch((error) => {
      const message = 'The isolated script failed: ' + error + ' It must be one file that imports nothing.'
      wire.postMessage({ type: 'broken', message })
    })
  }
}
`
