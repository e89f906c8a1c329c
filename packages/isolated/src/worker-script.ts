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
  const fail = (message) => wire.postMessage({ type: 'broken', message })
  wire.onmessage = ({ data: { text, broker } }) => {
    if (broker) self[Symbol.for('${brokerKey}')] = broker
    self.postMessage = (message, options) => wire.postMessage(message, options)
    wire.onmessage = ({ data, ports }) => dispatchEvent(new MessageEvent('message', { data, ports }))
    wire.onmessageerror = () => fail('A message of the page could not be read. A WebAssembly.Module cannot be handed to an isolated tool: hand its bytes over, and give inIsolation wasm: true.')
    const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
    import(address).catch((error) => {
      fail('The isolated script failed: ' + error + ' It must be one file that imports nothing.')
    })
  }
}
`
