import { createServer, request as sendRequest } from 'node:http'
import { onTestFinished } from 'vitest'
import { bearerToken } from './authenticate.mjs'
import { createProxy } from './proxy.mjs'

export const token = 'token-of-the-page-0123'
export const key = 'sk-canary-of-the-server-4567'
export const page = 'https://app.example'

/** @type {import('./limit-body.mjs').Limits} */
export const limits = {
  models: ['claude-test', 'gpt-test'],
  maxTokens: 1000,
  maxBodyBytes: 2000,
  maxBodyMs: 60_000,
  maxSilenceMs: 60_000,
}

/**
 * @typedef {import('node:http').RequestListener} RequestListener
 * @typedef {import('./proxy.mjs').ProxySettings} ProxySettings
 * @typedef {{ method?: string, url?: string, headers: import('node:http').IncomingHttpHeaders, text: string }} Seen
 */

/** @param {RequestListener} listener @returns {Promise<string>} */
export function listen(listener) {
  return start(createServer(listener))
}

/** @param {import('node:http').Server} server @returns {Promise<string>} */
async function start(server) {
  // Otherwise a pause of a busy machine ends a connection just when the next request is sent on it.
  server.keepAliveTimeout = 0
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

/**
 * A provider on a real socket, and a proxy in front of it.
 *
 * @param {RequestListener} [answer] Answers once the body is read. Default: 200 and `{}`.
 * @param {Partial<ProxySettings>} [settings]
 */
export async function startBoth(answer = answerEmpty, settings = {}) {
  /** @type {Seen[]} */
  const seen = []
  const upstream = await listen((request, response) => {
    const { method = '', url = '', headers } = request
    void textOf(request).then((text) => {
      seen.push({ method, url, headers, text })
      answer(request, response)
    })
  })
  return { ...(await startProxy(upstream, settings)), seen }
}

/** @param {string} upstream @param {Partial<ProxySettings>} [settings] */
export async function startProxy(upstream, settings = {}) {
  /** @type {import('./proxy.mjs').LogEntry[]} */
  const log = []
  /** @type {(() => void)[]} */
  const waiting = []
  const proxy = await start(
    createProxy({
      authenticate: bearerToken(token),
      origins: [page],
      limits,
      upstreams: {
        anthropic: { baseURL: upstream, key },
        openai: { baseURL: `${upstream}/v1`, key },
      },
      log: (entry) => {
        log.push(entry)
        for (const resolve of waiting.splice(0)) resolve()
      },
      ...settings,
    }),
  )
  /** Settles when a request is over and logged. */
  const logged = async () => {
    if (log.length === 0) await new Promise((resolve) => waiting.push(() => resolve(undefined)))
    return log
  }
  return { proxy, log, logged }
}

/** @type {RequestListener} */
function answerEmpty(_, response) {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
}

export const question = { model: 'claude-test', max_tokens: 100, messages: [] }

/**
 * Sends a request as a page does.
 *
 * @param {string} proxy
 * @param {{ path?: string, method?: string, body?: unknown, headers?: Record<string, string> }} [options]
 */
export function ask(proxy, { path = '/anthropic/v1/messages', ...options } = {}) {
  const { method = 'POST', body = question, headers = {} } = options
  return fetch(proxy + path, {
    method,
    headers: { origin: page, authorization: `Bearer ${token}`, ...headers },
    ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

/**
 * Opens a request by hand, to send it in pieces or to break it off.
 *
 * @param {string} proxy
 * @param {Record<string, string | number>} [headers]
 */
export function open(proxy, headers = {}) {
  return sendRequest(`${proxy}/anthropic/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
}

/**
 * @param {import('node:http').ClientRequest} request
 * @returns {Promise<import('node:http').IncomingMessage>}
 */
export function answerTo(request) {
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
}

/** @param {AsyncIterable<Uint8Array>} stream @returns {Promise<string>} */
export async function textOf(stream) {
  /** @type {Uint8Array[]} */
  const pieces = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

/** The sentence of a refusal, in the shape of either provider. @param {Response} response */
export async function messageOf(response) {
  /** @type {{ error: { message: string } }} */
  const { error } = await response.json()
  return error.message
}
