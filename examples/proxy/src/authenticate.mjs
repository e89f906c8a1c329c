import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Says whether the sender of this request may use the proxy, or by a name which user that is. Its body is not read yet, and
 * must not be.
 *
 * @callback Authenticate
 * @param {import('node:http').IncomingMessage} request
 * @returns {boolean | string | Promise<boolean | string>}
 */

/**
 * Accepts requests with `Authorization: Bearer <token>`. How long the check takes reveals nothing about the token.
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

/** Of one length for any text, as the comparison requires. @param {string} text */
function digest(text) {
  return createHash('sha256').update(text).digest()
}
