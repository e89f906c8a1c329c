/**
 * An answer of the proxy itself instead of the provider's. `authenticate` may throw one, too.
 *
 * @example
 * ```js
 * throw new Refusal(429, 'That was enough for today.', { 'retry-after': '3600' })
 * ```
 */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} message A sentence for people. It must quote nothing of the request.
   * @param {Readonly<Record<string, string>>} [headers]
   */
  constructor(status, message, headers = {}) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.headers = headers
  }
}

/** The providers' own words for the status, so that their clients recognise it. */
const types = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
])

/**
 * @param {number} status
 * @returns {string}
 */
export function errorType(status) {
  return types.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}
