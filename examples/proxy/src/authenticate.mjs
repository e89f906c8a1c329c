import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Says whether whoever sent this may use the proxy. Its body is not read yet, and must not be.
 *
 * @callback Authenticate
 * @param {import('node:http').IncomingMessage} request
 * @returns {boolean | Promise<boolean>}
 */

/**
 * Lets in whoever sends `Authorization: Bearer <token>`. How long it takes tells nothing about the token.
 *
 * @param {string} token
 * @returns {Authenticate}
 */
export function bearerToken(token) {
  const expected = digest(token)
  return ({ headers }) => {
    const [, given] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? []
    return given !== undefined && timingSafeEqual(digest(given), expected)
  }
}

/** Of one length for any text, as the comparison needs it. @param {string} text */
function digest(text) {
  return createHash('sha256').update(text).digest()
}
