import { Refusal } from './refusal.mjs'

/**
 * Reads a body whole, because it has to be checked before any of it goes on.
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
 * Leaves the request open when it is left early: it has to take an answer yet.
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
