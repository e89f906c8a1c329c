import { hidePart } from './hide-key.mjs'
import { Refusal } from './refusal.mjs'

/**
 * Where a provider is, and the key for it.
 *
 * @typedef {object} Upstream
 * @property {string} baseURL
 * @property {string} key
 */

/**
 * One request on its way out.
 *
 * @typedef {object} Question
 * @property {import('./providers.mjs').Provider} provider
 * @property {Upstream} upstream
 * @property {import('node:http').IncomingHttpHeaders} headers The page's.
 * @property {string} body
 * @property {AbortSignal} signal Aborted when the answer is not needed any more, or does not come.
 */

/** The headers of an answer that go back to the page. */
export const answerHeaders = [
  'content-type',
  'retry-after',
  'retry-after-ms',
  'request-id',
  'x-request-id',
  'x-should-retry',
]

const neverAgain = { 'x-should-retry': 'false' }

/**
 * Sends the request with our key, and resolves as soon as the headers of the answer are there.
 *
 * @param {Question} question
 * @returns {Promise<Response>}
 */
export async function askUpstream({ provider, upstream, headers, body, signal }) {
  // Some providers have a query in their address, such as `?api-version=…`.
  const url = upstream.baseURL.replace(/\/*(?=\?|$)/, provider.upstreamPath)
  const answer = await fetch(url, {
    method: 'POST',
    headers: outgoingHeaders(headers, { provider, upstream }),
    body,
    // A redirect would carry key and conversation to an address that was never configured.
    redirect: 'manual',
    signal,
  }).catch(() => unreachable(provider, signal))
  const problem = problemOf(answer, provider)
  if (problem === undefined) return answer
  await answer.body?.cancel()
  throw problem
}

/**
 * The headers that go back to the page, without the key.
 *
 * @param {Response} answer
 * @param {Upstream} upstream
 * @returns {readonly (readonly [name: string, value: string])[]}
 */
export function headersForPage({ headers }, { key }) {
  return answerHeaders.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, hidePart(key)(value)]]
  })
}

/**
 * @param {import('./providers.mjs').Provider} provider
 * @param {AbortSignal} signal
 * @returns {never}
 */
function unreachable({ name }, signal) {
  if (signal.aborted) throw new Refusal(504, `The provider (${name}) does not answer. Try again.`)
  // The message of fetch may quote the key, so it is not passed on.
  throw new Refusal(502, `The provider (${name}) could not be reached. Try again.`)
}

/**
 * @param {Response} answer
 * @param {import('./providers.mjs').Provider} provider
 * @returns {Refusal | undefined}
 */
function problemOf({ status }, { name, keyName }) {
  if (status >= 300 && status < 400) {
    return new Refusal(502, `The provider (${name}) answered with a redirect.`, neverAgain)
  }
  // A 401 would ask the user to log in again, and the provider's words quote a part of the key.
  if (status === 401) {
    const advice = `The people who run this server must check ${keyName}.`
    return new Refusal(
      502,
      `The provider (${name}) refused the server's key. ${advice}`,
      neverAgain,
    )
  }
  return undefined
}

/**
 * Only these headers: no cookie, no key and no address of the page is sent on.
 *
 * @param {import('node:http').IncomingHttpHeaders} given
 * @param {Pick<Question, 'provider' | 'upstream'>} target
 * @returns {Headers}
 */
function outgoingHeaders(given, { provider, upstream }) {
  const headers = new Headers({
    'content-type': 'application/json',
    // A compressed stream would arrive in blocks, not piece by piece.
    'accept-encoding': 'identity',
    authorization: `Bearer ${upstream.key}`,
  })
  for (const name of provider.headers) {
    const value = given[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return headers
}
