import { Refusal } from './refusal.mjs'
import { answerHeaders } from './upstream.mjs'

/**
 * Lets pages of these origins read the answer, answers their preflights, and refuses all other pages. Clients that
 * are no pages send no origin; they have to authenticate as well.
 *
 * @param {{ request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse }} exchange
 * @param {readonly string[]} origins
 * @returns {boolean} Whether the request is answered by this.
 */
export function answerCors({ request, response }, origins) {
  response.setHeader('vary', 'origin')
  response.setHeader('cache-control', 'no-store')
  // Tells nginx and similar servers not to buffer the answer.
  response.setHeader('x-accel-buffering', 'no')
  const { origin } = request.headers
  const isPreflight = request.method === 'OPTIONS'
  if (origin === undefined && !isPreflight) return false
  if (origin === undefined || !origins.includes(origin)) {
    throw new Refusal(403, 'Pages of this origin may not ask here.')
  }
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', answerHeaders.join(', '))
  if (!isPreflight) return false
  const wanted = request.headers['access-control-request-headers']
  response.writeHead(204, {
    'access-control-allow-methods': 'POST',
    // Any header of the client, because only a few of them are passed on.
    ...(wanted !== undefined && { 'access-control-allow-headers': wanted }),
    'access-control-max-age': '600',
  })
  response.end()
  return true
}
