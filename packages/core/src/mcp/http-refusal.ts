import { McpServerError, outOfRules } from './mcp-server-error.ts'

interface Refusal {
  readonly url: URL
  /** The start of the body. */
  readonly said: string
  readonly hasSession: boolean
}

/** What an HTTP status other than success means. What the server says beside it is not quoted: it may repeat a token. */
export function refusalOf(
  { status, type }: Response,
  { url: { host }, said, hasSession }: Refusal,
): McpServerError {
  if (status === 401 || status === 403) {
    return new McpServerError(
      'auth',
      `The MCP server at ${host} does not let this page in (${status}). Give it a token with \`headers\`, or sign the user in with \`authProvider\`.`,
    )
  }
  // By the protocol the status for a lost session is 404; the reference server answers 400.
  if (hasSession && (status === 404 || (status === 400 && /session/i.test(said)))) {
    return new McpServerError('session', `The MCP server at ${host} forgets its session at once.`)
  }
  if (status >= 500 || status === 429 || status === 408) {
    return new McpServerError(
      'unreachable',
      `The MCP server at ${host} is out of order (${status}). Try again later.`,
    )
  }
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return outOfRules(`${host} leads elsewhere, and no redirect is followed`)
  }
  if (status === 400 && /session/i.test(said)) {
    return outOfRules(
      `${host} asks for the id of a session that it did not let this page read; it has to expose the header mcp-session-id by CORS`,
    )
  }
  return outOfRules(`${host} answers with status ${status}`)
}
