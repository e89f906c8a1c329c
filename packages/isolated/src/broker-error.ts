/** Why a request of an isolated tool came to nothing. */
export const brokerErrorCodes = [
  /** No network was declared for the tools. */
  'no_network',
  /**
   * The address has more than 8,192 characters, the headers are more than 64 or have more than 16,384, or the method is
   * no word of at most 32.
   */
  'unreadable',
  /** The address is no absolute http(s) URL. */
  'invalid_url',
  /** The address has a user name or a password in it. */
  'userinfo',
  /** The origin of the address was not declared. */
  'origin',
  /** The address has the origin of a model provider. */
  'provider',
  /** The method was not declared. */
  'method',
  /** The query string has more than 2,048 characters. */
  'query_too_long',
  /** No call runs yet: the top level of a module may make no request. */
  'too_early',
  /** Too many requests at the same time. */
  'too_many',
  /** The server answered with a redirect. */
  'redirect',
  /** The request or its answer has more bytes than allowed. */
  'too_large',
  /** The answer was not complete in time. */
  'timed_out',
  /** The call was stopped, or the tool aborted the request. */
  'aborted',
  /**
   * The server cannot be reached, does not allow the page to ask it (CORS), or gives an answer that no `Response` can
   * hold.
   */
  'failed',
] as const

/** Why a request of an isolated tool came to nothing: it was refused, or it failed. */
export type BrokerErrorCode = (typeof brokerErrorCodes)[number]

/**
 * A request of an isolated tool that came to nothing. Its message says why, and goes to the model if the tool does not
 * catch it.
 */
export class BrokerError extends Error {
  override readonly name = 'BrokerError'
  /** The reason, to branch on. */
  readonly code: BrokerErrorCode

  constructor(code: BrokerErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
