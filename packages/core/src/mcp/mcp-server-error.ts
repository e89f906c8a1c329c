import { cutEnd } from '../internal/cut-text.ts'
import { withFullStop } from '../internal/full-stop.ts'
import { isObject } from '../internal/json.ts'

/**
 * What is wrong with an MCP server, or with the way to it, to branch on.
 *
 * - `unreachable`: no answer, an answer that the page may not read, or a server that is out of order.
 * - `auth`: it asks for a token, for another one, or for a user who signs in.
 * - `timeout`: it did not answer in time.
 * - `protocol`: it answers, but not by the rules of MCP.
 * - `too_large`: it sends more than is read.
 * - `refused`: it answers by the rules, and the answer is an error.
 * - `session`: it has forgotten its session, twice in a row.
 * - `closed`: the connection ended before the answer, or was closed by `close`.
 * - `sdk`: `@modelcontextprotocol/sdk` could not be loaded.
 */
export type McpProblem =
  | 'unreachable'
  | 'auth'
  | 'timeout'
  | 'protocol'
  | 'too_large'
  | 'refused'
  | 'session'
  | 'closed'
  | 'sdk'

const problems: Readonly<Record<McpProblem, true>> = {
  unreachable: true,
  auth: true,
  timeout: true,
  protocol: true,
  too_large: true,
  refused: true,
  session: true,
  closed: true,
  sdk: true,
}

export function isMcpProblem(value: unknown): value is McpProblem {
  return typeof value === 'string' && Object.hasOwn(problems, value)
}

/** An MCP server that cannot be used as asked. The message says what to do; it quotes no header that was sent. */
export class McpServerError extends Error {
  /** Distinguishes it from other errors, also where a bundle holds two copies of this module. */
  override readonly name = 'McpServerError'
  /** What is wrong, to branch on. */
  readonly kind: McpProblem

  constructor(kind: McpProblem, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.kind = kind
  }
}

/** Whether a value is such an error, of this or of another copy of this module. */
export function isMcpServerError(value: unknown): value is McpServerError {
  return isObject(value) && value['name'] === 'McpServerError' && isMcpProblem(value['kind'])
}

const closed =
  'The connection to the MCP server was closed before it answered. What was asked may or may not have been done.'

/** Characters of what a server says about an error. */
const maxSaid = 2000

/** Any failure of a request, in one form. */
export function toServerError(error: unknown): McpServerError {
  if (isMcpServerError(error)) return error
  const code = isObject(error) ? error['code'] : undefined
  const said = error instanceof Error ? error.message : String(error)
  // Errors of the SDK's client have the codes of JSON-RPC; these two are its own.
  if (code === -32_000 && /Connection closed$/.test(said))
    return new McpServerError('closed', closed)
  if (code === -32_001 && /Request timed out$/.test(said)) return late()
  if (typeof code === 'number' && ofClient.test(said)) {
    const text = cutEnd(said.replace(ofClient, ''), maxSaid)
    return new McpServerError('refused', withFullStop(`The MCP server refused: ${text}`))
  }
  return errorOfTransport(error, cutEnd(said, 200))
}

/** How the message of each error of the SDK's client begins. */
const ofClient = /^MCP error -?\d+: /

/** An error of a transport that the app has made: those of the SDK have a status as `code`, or are what `fetch` throws. */
function errorOfTransport(error: unknown, said: string): McpServerError {
  const status = isObject(error) && typeof error['code'] === 'number' ? error['code'] : 0
  if (status === 401 || status === 403 || /^unauthorized/i.test(said)) {
    const message =
      'The MCP server does not let this page in. Check the token of the transport, or sign the user in.'
    return new McpServerError('auth', message)
  }
  if (status >= 500 || status === 429 || status === 408 || error instanceof TypeError) {
    return new McpServerError(
      'unreachable',
      `The MCP server cannot be reached: ${withFullStop(said)} Check that it runs, that the address is right, and that it allows this page by CORS.`,
    )
  }
  return outOfRules(said)
}

/** The error for an answer that breaks the rules of the protocol. */
export function outOfRules(what: string): McpServerError {
  return new McpServerError(
    'protocol',
    `The MCP server does not keep to the protocol: ${withFullStop(what)} Check that the address is that of an MCP endpoint.`,
  )
}

export function late(): McpServerError {
  return new McpServerError(
    'timeout',
    'The MCP server did not answer in time. Try again, or give it more with connectTimeoutMs.',
  )
}
