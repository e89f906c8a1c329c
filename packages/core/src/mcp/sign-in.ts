import {
  auth,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
} from '@modelcontextprotocol/sdk/client/auth.js'
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { untilAborted } from '../internal/abort.ts'
import { defined } from '../internal/defined.ts'
import { startOfText } from '../model/http/body-text.ts'
import { McpServerError } from './mcp-server-error.ts'

interface SignIn {
  readonly url: URL
  readonly provider: OAuthClientProvider
  /** Sends no headers of the MCP server, because the authorization server may be another one. */
  readonly fetch: Send
}

type Send = (url: string | URL, init?: RequestInit) => Promise<Response>

/** Whether another token may help a request that was turned away. */
export function mayHelp(response: Response): boolean {
  const { error } = extractWWWAuthenticateParams(response)
  return response.status !== 403 || error === 'insufficient_scope'
}

/**
 * Gets a token for a request that was turned away. Throws a `McpServerError` where a person has to sign in first. It cannot
 * be stopped: a token for renewal is good once, so without the answer to it the user would be signed out.
 */
export async function signIn(
  response: Response,
  { url, provider, fetch }: SignIn,
): Promise<boolean> {
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
  const fetchFn = bounded(fetch, url.origin)
  const options = { serverUrl: url, fetchFn, ...defined({ resourceMetadataUrl, scope }) }
  const outcome = await auth(provider, options).catch((cause: unknown) => {
    throw new McpServerError(
      'auth',
      `Signing in to the MCP server at ${url.host} failed. Check the authProvider and the authorization server.`,
      // What the authorization server says may quote a token, or the secret of the client.
      cause instanceof OAuthError ? {} : { cause },
    )
  })
  if (outcome === 'AUTHORIZED') return true
  throw new McpServerError(
    'auth',
    `The user has to sign in for the MCP server at ${url.host}. Finish that with the SDK's auth(provider, { serverUrl, authorizationCode }), then try again.`,
  )
}

/** Milliseconds for each request of signing in. */
const patienceMs = 5000

/**
 * The SDK reads answers whole, however long they are: of each, only the start is given to it. The server names the addresses
 * that are asked, and may name one of the page itself: that must not get the cookies of the page.
 */
function bounded(send: Send, ofServer: string): Send {
  return async (url, init) => {
    const ending = AbortSignal.timeout(patienceMs)
    const credentials = new URL(url).origin === ofServer ? 'same-origin' : 'omit'
    const answer = await send(url, { ...init, credentials, signal: ending })
    const text = await untilAborted(startOfText(answer), ending)
    const { status, statusText, headers } = answer
    // A page sees nothing of a redirect that was not followed.
    if (status === 0) return answer
    const isBare = status === 204 || status === 205 || status === 304
    return new Response(isBare ? null : text, { status, statusText, headers })
  }
}
