import { Refusal } from './refusal.mjs'

/**
 * Reads a body whole, because all of it has to be checked before any of it is sent on. A client that waits until it is
 * asked for its body (`Expect: 100-continue`) is asked now.
 *
 * @param {{ request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse }} exchange
 * @param {{ maxBodyBytes: number, maxBodyMs: number }} limits
 * @returns {Promise<string>}
 */
export async function readBody({ request, response }, { maxBodyBytes, maxBodyMs }) {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes)
  // A client that speaks HTTP/1.0 does not wait, and would take this for the answer.
  if (request.headers.expect !== undefined && request.httpVersion !== '1.0')
    response.writeContinue()
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  /** @type {Promise<never>} */
  const tooLate = new Promise((_, reject) => {
    timer = setTimeout(() => reject(tooSlow(maxBodyMs)), maxBodyMs)
  })
  try {
    return await Promise.race([collect(request, maxBodyBytes), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {number} maxBytes
 * @returns {Promise<string>}
 */
async function collect(request, maxBytes) {
  // One buffer that grows: pieces of one byte each would take two hundred times as much.
  let held = Buffer.alloc(Math.min(maxBytes, 16_384))
  let bytes = 0
  for await (const piece of piecesOf(request)) {
    const start = bytes
    bytes += piece.byteLength
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    if (bytes > held.byteLength) held = copyOf(held, Math.min(maxBytes, 2 * bytes))
    held.set(piece, start)
  }
  return held.toString('utf8', 0, bytes)
}

/** @param {Buffer} held @param {number} size */
function copyOf(held, size) {
  const larger = Buffer.alloc(size)
  held.copy(larger)
  return larger
}

/**
 * Keeps the connection when the loop is left early, because the request still has to be answered.
 *
 * @param {import('node:http').IncomingMessage} request
 * @returns {AsyncIterable<Uint8Array>}
 */
function piecesOf(request) {
  return request.iterator({ destroyOnReturn: false })
}

/**
 * @param {number} maxBytes
 * @returns {Refusal}
 */
function tooLarge(maxBytes) {
  return new Refusal(413, `The request is larger than ${maxBytes} bytes.`)
}

/**
 * @param {number} ms
 * @returns {Refusal}
 */
function tooSlow(ms) {
  const message = `The request did not arrive within ${ms / 1000} seconds.`
  return new Refusal(408, message, { connection: 'close' })
}
