/** The most characters in one message of isolated code: reading more would hold the page. */
export const maxRelayedChars = 8_000_000
const maxValues = 100_000
const maxDepth = 210
const maxFiles = 1000
const maxBytes = 32_000_000
/**
 * The most messages of isolated code in a second: as many as a worker may be ahead of the page. Its runtime waits for
 * the page, which takes about half of that.
 */
export const maxMessagesPerSecond = 2000
const maxCharsPerSecond = 32_000_000

/**
 * Turns a message into JSON text, and a list of its bytes with their paths, because JSON has no bytes. Its limits bound
 * the time it takes. Throws 'big' for what is beyond the limits, and 'strange' for what no JSON holds. A part of
 * `relayScript`, and a text for the same reason.
 */
export const encodeScript: string = `
const encode = (message) => {
  const parts = []
  const bytes = []
  const path = []
  let chars = 0
  let values = 0
  let size = 0
  const put = (text) => {
    chars += text.length
    if (chars > ${maxRelayedChars}) throw 'big'
    parts.push(text)
  }
  const putString = (text) => {
    if (text.length > ${maxRelayedChars}) throw 'big'
    put(JSON.stringify(text))
  }
  const putAt = (key, value) => {
    path.push(key)
    walk(value)
    path.pop()
  }
  const putBytes = (data) => {
    // For a buffer that may grow the page sets apart all the room that it may take: a few hundred end the page.
    if (data.resizable) throw 'strange'
    const isBlob = data instanceof Blob
    size += isBlob ? 0 : data.byteLength
    if (size > ${maxBytes} || bytes.length >= ${maxFiles}) throw 'big'
    // A slice, because a File has a name of any length, and a Blob a type.
    bytes.push([[...path], isBlob ? data.slice() : data])
    put('null')
  }
  const walk = (value) => {
    if (++values > ${maxValues} || path.length > ${maxDepth}) throw 'big'
    if (typeof value === 'string') return putString(value)
    if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return put(JSON.stringify(value))
    if (value instanceof ArrayBuffer || value instanceof Blob) return putBytes(value)
    if (typeof value !== 'object') throw 'strange'
    if (Array.isArray(value)) {
      if (value.length > ${maxValues}) throw 'big'
      put('[')
      for (let i = 0; i < value.length; i++) {
        if (i > 0) put(',')
        putAt(i, value[i])
      }
      return put(']')
    }
    if (Object.getPrototypeOf(value) !== Object.prototype) throw 'strange'
    let separator = '{'
    for (const key in value) {
      if (++values > ${maxValues}) throw 'big'
      if (value[key] === undefined) continue
      put(separator)
      putString(key)
      put(':')
      putAt(key, value[key])
      separator = ','
    }
    put(separator === '{' ? '{}' : '}')
  }
  walk(message)
  return { text: parts.join(''), bytes }
}
`

/**
 * The script of the relay: a worker of ours beside the one that runs the code of a tool. Only the relay has a port to
 * the page. It posts texts of bounded length, at a bounded rate, because reading a message takes time of the thread
 * that reads, however big or strange the message is. A message that is no JSON becomes `null`, which the page counts.
 */
export const relayScript: string = `
${encodeScript}
let since = 0
let messages = 0
let chars = 0
let files = 0
const isTooFast = (text, bytes) => {
  if (performance.now() - since >= 1000) {
    since = performance.now()
    messages = 0
    chars = 0
    files = 0
  }
  messages += 1
  chars += text.length
  files += bytes.length
  return messages > ${maxMessagesPerSecond} || chars > ${maxCharsPerSecond} || files > ${maxFiles}
}
onmessage = ({ ports: [page, tool] }) => {
  const { port1: broker, port2: toolBroker } = new MessageChannel()
  const lines = { tool, broker }
  const end = (message) => {
    tool.close()
    broker.close()
    page.postMessage({ line: 'tool', text: JSON.stringify({ type: 'broken', message }), bytes: [] })
  }
  const relay = (line, message) => {
    let encoded = { text: 'null', bytes: [] }
    try {
      encoded = encode(message)
    } catch (error) {
      if (error === 'big') return end('The isolated code posted a message of over ${maxRelayedChars} characters, ${maxValues} values or ${maxBytes} bytes.')
    }
    const { text, bytes } = encoded
    if (isTooFast(text, bytes)) return end('The isolated code posted more than ${maxMessagesPerSecond} messages of its own, ${maxCharsPerSecond} characters or ${maxFiles} files and buffers, within a second.')
    const buffers = bytes.map(([, data]) => data).filter((data) => data instanceof ArrayBuffer)
    page.postMessage({ line, text, bytes }, [...new Set(buffers)])
  }
  for (const [line, port] of Object.entries(lines)) {
    port.onmessage = ({ data }) => relay(line, data)
    port.onmessageerror = () => relay(line, undefined)
  }
  page.onmessage = ({ data: { text, network, probes } }) => {
    tool.postMessage({ text, probes, broker: network && toolBroker }, network ? [toolBroker] : [])
    page.onmessage = ({ data: { line, message, moved } }) => lines[line].postMessage(message, moved)
  }
  page.onmessageerror = () => end('A message of the page could not be read. A WebAssembly.Module cannot be handed to an isolated tool: hand its bytes over, and give inIsolation wasm: true.')
}
`
