import {
  auth,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
} from '@modelcontextprotocol/sdk/client/auth.js'
import { defined } from '../internal/defined.ts'
import { McpServerError } from './mcp-server-error.ts'

interface SignIn {
  readonly url: URL
  readonly provider: OAuthClientProvider
  /** Sends no headers of the MCP server, because the authorization server may be another one. */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
}

/** Gets a token for a request that was turned away. Throws a `McpServerError` where a person has to sign in first. */
export async function signIn(
  response: Response,
  { url, provider, fetch }: SignIn,
): Promise<boolean> {
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response)
  if (response.status === 403 && error !== 'insufficient_scope') return false
  const options = { serverUrl: url, fetchFn: fetch, ...defined({ resourceMetadataUrl, scope }) }
  const outcome = await auth(provider, options).catch((cause: unknown) => {
    throw new McpServerError(
      'auth',
      `Signing in to the MCP server at ${url.host} failed. Check the authProvider and the authorization server.`,
      { cause },
    )
  })
  if (outcome === 'AUTHORIZED') return true
  throw new McpServerError(
    'auth',
    `The user has to sign in for the MCP server at ${url.host}. Finish that with the SDK's auth(provider, { serverUrl, authorizationCode }), then try again.`,
  )
}
