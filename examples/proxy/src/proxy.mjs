import { once } from 'node:events'
import { createServer } from 'node:http'
import { answerError } from './answer-error.mjs'
import { answerCors } from './cors.mjs'
import { createGuessLimit } from './guess-limit.mjs'
import { createKeyHider } from './hide-key.mjs'
import { limitBody } from './limit-body.mjs'
import { providerOf } from './providers.mjs'
import { readBody } from './read-body.mjs'
import { Refusal } from './refusal.mjs'
import { watchSilence } from './silence.mjs'
import { askUpstream, headersForPage } from './upstream.mjs'

/**
 * What a request leaves in the log: no body, no header, no query, no key.
 *
 * @typedef {object} LogEntry
 * @property {string} method
 * @property {string} path Its first 100 characters.
 * @property {number} status 0 if nothing was answered.
 * @property {number} durationMs
 * @property {'sent' | 'client left' | 'upstream broke off' | 'timed out'} outcome
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
 * @property {string} [addressHeader] Where a server in front of this one writes the client's address, in small letters.
 * @property {import('./limit-body.mjs').Limits} limits
 * @property {{ readonly [name in ProviderName]?: import('./upstream.mjs').Upstream }} upstreams
 * @property {(user: string) => Promise<object>} [natsCredentials] Makes what a page of this user signs in to a NATS server
 *   with.
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
 * @returns {import('node:http').Server}
 * @example
 * ```js
 * createProxy(settings).listen(8787)
 * ```
 */
export function createProxy(settings) {
  const { maxBodyMs, maxSilenceMs } = settings.limits
  const guesses = createGuessLimit()
  /** @type {WeakMap<import('node:net').Socket, import('node:http').ServerResponse>} */
  const latest = new WeakMap()
  /** @type {import('node:http').RequestListener} */
  const listener = (request, response) => {
    const exchange = openExchange(request, response, settings.log)
    // Node would serve all that one connection sends at once, and say of none that the page has left.
    if (latest.get(request.socket)?.writableEnded === false) {
      return answerError(exchange, new Refusal(400, 'Send one request after the other.', closing))
    }
    latest.set(request.socket, response)
    serve(exchange, settings, guesses).catch((error) => answerError(exchange, error))
  }
  // These end connections that ours do not: of clients that send the rest of what was refused, or that do not read.
  const timeouts = {
    headersTimeout: maxBodyMs,
    requestTimeout: 2 * maxBodyMs,
    connectionsCheckingInterval: maxBodyMs / 4,
    // Servers in front of this one keep an idle connection for a minute. Ended before, it may end just when they ask.
    keepAliveTimeout: 75_000,
  }
  const server = createServer(timeouts, listener)
  server.timeout = 2 * maxSilenceMs
  // Without this, Node itself would ask every client for its body, before the token is checked.
  return server.on('checkContinue', listener)
}

const closing = { connection: 'close' }

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {(entry: LogEntry) => void} log
 * @returns {Exchange}
 */
function openExchange(request, response, log) {
  const startedAt = performance.now()
  const path = (request.url ?? '').slice(0, 100).replace(/\?.*/, '')
  const closed = new AbortController()
  /** @type {LogEntry} */
  const entry = {
    method: request.method ?? '',
    path,
    status: 0,
    durationMs: 0,
    outcome: 'client left',
  }
  response.once('finish', () => (entry.outcome = 'sent'))
  response.once('close', () => {
    closed.abort()
    entry.status = response.headersSent ? response.statusCode : 0
    entry.durationMs = Math.round(performance.now() - startedAt)
    log(entry)
  })
  return { request, response, entry, gone: closed.signal }
}

/**
 * @param {Exchange} exchange
 * @param {ProxySettings} settings
 * @param {ReturnType<typeof createGuessLimit>} guesses
 */
async function serve(exchange, settings, guesses) {
  const { request, entry, gone } = exchange
  if (answerCors(exchange, settings.origins)) return
  if (entry.path === natsPath) return answerNats(exchange, settings, guesses)
  const { provider, upstream } = route(entry, settings)
  await checkToken(request, settings, guesses)
  const text = await readBody(exchange, settings.limits)
  const body = limitBody(text, provider, settings.limits)
  entry.askedTokens = body.askedTokens
  entry.maxTokens = body.maxTokens
  const silence = watchSilence(settings.limits.maxSilenceMs)
  const signal = AbortSignal.any([gone, silence.signal])
  const question = { provider, upstream, headers: request.headers, body: body.text, signal }
  try {
    await passOn(await askUpstream(question), exchange, { upstream, silence })
  } finally {
    silence.end()
  }
}

const natsPath = '/nats/credentials'
/** The name of every user where one token is for all of them. */
const everybody = 'everybody'

/**
 * @param {Exchange} exchange
 * @param {ProxySettings} settings
 * @param {ReturnType<typeof createGuessLimit>} guesses
 */
async function answerNats({ request, response, entry }, settings, guesses) {
  const { natsCredentials } = settings
  if (!natsCredentials) throw new Refusal(404, 'This server has no accounts of a NATS server.')
  checkMethod(entry)
  const credentials = await natsCredentials(await checkToken(request, settings, guesses))
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(credentials))
}

/**
 * The name of the user who sent the request.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {ProxySettings} settings
 * @param {ReturnType<typeof createGuessLimit>} guesses
 */
async function checkToken(request, { authenticate, addressHeader }, guesses) {
  const given = addressHeader === undefined ? undefined : request.headers[addressHeader]
  // A client can write such a header, too: only the last address is of the server in front.
  const address =
    String(given ?? request.socket.remoteAddress)
      .split(',')
      .at(-1)
      ?.trim() ?? ''
  const user = await guesses(address, () => authenticate(request))
  if (user) return user === true ? everybody : user
  throw new Refusal(401, 'This server does not know you. Log in again.')
}

/**
 * @param {LogEntry} entry
 * @param {ProxySettings} settings
 */
function route(entry, { upstreams }) {
  const { path } = entry
  const provider = providerOf(path)
  if (path !== provider.path) throw new Refusal(404, 'There is nothing here. Check the base URL.')
  checkMethod(entry)
  const upstream = upstreams[provider.name]
  if (upstream) return { provider, upstream }
  throw new Refusal(404, `This server has no key for ${provider.name}.`)
}

/** @param {LogEntry} entry */
function checkMethod({ method }) {
  if (method !== 'POST') throw new Refusal(405, 'Only POST is answered here.', { allow: 'POST' })
}

/**
 * Every piece is sent on as it comes, without our key; a slow reader slows the provider down.
 *
 * @param {Response} answer
 * @param {Exchange} exchange
 * @param {{ upstream: import('./upstream.mjs').Upstream, silence: ReturnType<typeof watchSilence> }} between
 */
async function passOn(answer, { request, response, entry, gone }, { upstream, silence }) {
  for (const [name, value] of headersForPage(answer, upstream)) response.setHeader(name, value)
  response.writeHead(answer.status)
  response.flushHeaders()
  const hider = createKeyHider(upstream.key)
  try {
    for await (const bytes of answer.body ?? []) {
      silence.interrupt()
      if (!response.write(hider.write(bytes))) await once(response, 'drain', { signal: gone })
    }
    response.end(hider.end())
  } catch {
    if (!gone.aborted) entry.outcome = silence.signal.aborted ? 'timed out' : 'upstream broke off'
    // Not ended: an answer that was cut off must not look complete.
    breakOff(request, response)
  }
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function breakOff({ httpVersion, socket }, response) {
  // Servers in front of this one may ask by HTTP/1.0, where the end of the connection is that of the answer.
  if (httpVersion === '1.0') socket.resetAndDestroy()
  response.destroy()
}
