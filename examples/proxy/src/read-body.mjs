import { Refusal } from './refusal.mjs'

/**
 * Reads a body whole, because all of it has to be checked before any of it is sent on.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {number} maxBytes
 * @returns {Promise<string>}
 */
export async function readBody(request, maxBytes) {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  /** @type {Uint8Array[]} */
  const pieces = []
  let bytes = 0
  for await (const piece of piecesOf(request)) {
    bytes += piece.byteLength
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
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
