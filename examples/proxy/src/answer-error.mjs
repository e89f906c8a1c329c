import { providerOf } from './providers.mjs'
import { Refusal } from './refusal.mjs'

/**
 * Answers a request that is refused, or that this server failed at, unless its client has left.
 *
 * @param {object} exchange
 * @param {import('node:http').IncomingMessage} exchange.request
 * @param {import('node:http').ServerResponse} exchange.response
 * @param {{ readonly path: string, outcome: string, failure?: string }} exchange.entry Its line in the log.
 * @param {AbortSignal} exchange.gone
 * @param {unknown} error
 */
export function answerError({ request, response, entry, gone }, error) {
  if (gone.aborted) return
  if (!(error instanceof Refusal)) entry.failure = error instanceof Error ? error.name : 'unknown'
  const { status, message, headers } =
    error instanceof Refusal ? error : new Refusal(500, 'This server has a fault.')
  const text = JSON.stringify(providerOf(entry.path).errorBody(status, message))
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  })
  response.write(text, (failure) => {
    if (!failure) entry.outcome = 'sent'
  })
  // The rest of the request is read and dropped, and only then may the connection end; otherwise the page would see a
  // broken connection and no reason.
  request.resume()
  const isLast = !response.shouldKeepAlive || headers['connection'] === 'close'
  if (isLast && !request.readableEnded) request.once('end', () => response.end())
  else response.end()
}
