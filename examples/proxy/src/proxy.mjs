import { once } from 'node:events'
import { answerCors } from './cors.mjs'
import { limitBody } from './limit-body.mjs'
import { providerOf } from './providers.mjs'
import { readBody } from './read-body.mjs'
import { Refusal } from './refusal.mjs'
import { answerHeaders, askUpstream } from './upstream.mjs'

/**
 * What a request leaves in the log: no body, no header, no query, no key.
 *
 * @typedef {object} LogEntry
 * @property {string} method
 * @property {string} path
 * @property {number} status 0 if nothing was answered.
 * @property {number} durationMs
 * @property {'sent' | 'client left' | 'upstream broke off'} outcome
 * @property {number | null} [askedTokens] What the page asked for; `null` if it did not say.
 * @property {number} [maxTokens] What it got.
 * @property {string} [failure] The name of an error that is a mistake in this server.
 */

/**
 * @typedef {import('./providers.mjs').Provider['name']} ProviderName
 *
 * @typedef {object} ProxySettings
 * @property {import('./authenticate.mjs').Authenticate} authenticate
 * @property {readonly string[]} origins The origins of pages that may ask.
 * @property {import('./limit-body.mjs').Limits} limits
 * @property {{ readonly [name in ProviderName]?: import('./upstream.mjs').Upstream }} upstreams
 * @property {(entry: LogEntry) => void} log
 */

/**
 * One request and all that belongs to it.
 *
 * @typedef {object} Exchange
 * @property {import('node:http').IncomingMessage} request
 * @property {import('node:http').ServerResponse} response
 * @property {LogEntry} entry
 * @property {AbortSignal} gone Aborted when the connection closes.
 */

/**
 * A server that adds the key of a provider to the requests of your pages.
 *
 * @param {ProxySettings} settings
 * @returns {import('node:http').RequestListener}
 * @example
 * ```js
 * createServer(createProxy(settings)).listen(8787)
 * ```
 */
export function createProxy(settings) {
  return (request, response) => {
    const startedAt = performance.now()
    const [path = ''] = (request.url ?? '').split('?')
    const closed = new AbortController()
    /** @type {LogEntry} */
    const entry = { method: request.method ?? '', path, status: 0, durationMs: 0, outcome: 'sent' }
    response.once('close', () => {
      closed.abort()
      entry.status = response.headersSent ? response.statusCode : 0
      entry.durationMs = Math.round(performance.now() - startedAt)
      if (!response.writableFinished && entry.outcome === 'sent') entry.outcome = 'client left'
      settings.log(entry)
    })
    const exchange = { request, response, entry, gone: closed.signal }
    serve(exchange, settings).catch((error) => answerError(exchange, error))
  }
}

/**
 * @param {Exchange} exchange
 * @param {ProxySettings} settings
 */
async function serve(exchange, settings) {
  const { request, response, entry, gone } = exchange
  if (answerCors(exchange, settings.origins)) return
  const { provider, upstream } = route(entry, settings)
  if (!(await settings.authenticate(request))) {
    throw new Refusal(401, 'This server does not know you. Log in again.')
  }
  const text = await readBody(request, settings.limits.maxBodyBytes)
  const body = limitBody(text, provider.tokenFields, settings.limits)
  entry.askedTokens = body.askedTokens
  entry.maxTokens = body.maxTokens
  const question = { provider, upstream, headers: request.headers, body: body.text, signal: gone }
  const answer = await askUpstream(question)
  for (const name of answerHeaders) {
    const value = answer.headers.get(name)
    if (value !== null) response.setHeader(name, value)
  }
  response.writeHead(answer.status)
  response.flushHeaders()
  await passOn(answer, exchange)
}

/**
 * @param {LogEntry} entry
 * @param {ProxySettings} settings
 */
function route({ method, path }, { upstreams }) {
  const provider = providerOf(path)
  if (path !== provider.path) throw new Refusal(404, 'There is nothing here. Check the base URL.')
  if (method !== 'POST') throw new Refusal(405, 'Only POST is answered here.', { allow: 'POST' })
  const upstream = upstreams[provider.name]
  if (upstream) return { provider, upstream }
  throw new Refusal(404, `This server has no key for ${provider.name}.`)
}

/**
 * Every piece is sent on as it comes; a slow reader slows the provider down.
 *
 * @param {Response} answer
 * @param {Exchange} exchange
 */
async function passOn(answer, { response, entry, gone }) {
  try {
    for await (const bytes of answer.body ?? []) {
      if (!response.write(bytes)) await once(response, 'drain', { signal: gone })
    }
    response.end()
  } catch {
    if (!gone.aborted) entry.outcome = 'upstream broke off'
    // Not ended: an answer that was cut off must not look complete.
    response.destroy()
  }
}

/**
 * @param {Exchange} exchange
 * @param {unknown} error
 */
function answerError({ request, response, entry, gone }, error) {
  if (gone.aborted) return
  if (!(error instanceof Refusal)) entry.failure = error instanceof Error ? error.name : 'unknown'
  const { status, message, headers } =
    error instanceof Refusal ? error : new Refusal(500, 'This server has a fault.')
  response.writeHead(status, { ...headers, 'content-type': 'application/json' })
  response.end(JSON.stringify(providerOf(entry.path).errorBody(status, message)))
  // The rest of the request is read and dropped; otherwise the page would see a broken connection and no reason.
  request.resume()
}
