import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { untilAborted } from '../internal/abort.ts'
import { defined } from '../internal/defined.ts'
import { startOfText } from '../model/http/body-text.ts'
import { refusalOf } from './http-refusal.ts'
import { McpServerError } from './mcp-server-error.ts'
import type { Secrets } from './secrets.ts'
import type { Session } from './transport.ts'

/** How an MCP server is reached by HTTP. */
export interface McpHttpOptions {
  /**
   * Asked before every request for headers to add, for instance `{ authorization: 'Bearer …' }`. They go to the server's own
   * address and nowhere else.
   */
  readonly headers?: () =>
    | Readonly<Record<string, string>>
    | Promise<Readonly<Record<string, string>>>
  /** Signs the user in by OAuth, as the SDK describes it. */
  readonly authProvider?: OAuthClientProvider
  /** Replaces the platform's `fetch`. */
  readonly fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>
}

/** One request to the server. */
interface Sent {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/**
 * Sends one request and gives its answer, once it is a success. Rejects with a `McpServerError` for a server that refuses,
 * leads elsewhere or cannot be reached, and with what `fetch` throws when the signal is aborted.
 */
export type SendRequest = (sent: Sent) => Promise<Response>

/** Requests to one address, with the headers of the session and of the user. */
export function createRequests(
  url: URL,
  { headers, authProvider, fetch: send = globalThis.fetch }: McpHttpOptions,
  { session, secrets }: { readonly session: Session; readonly secrets: Pick<Secrets, 'note'> },
): SendRequest {
  const hasSignedIn = authProvider ? createSignIn(url, authProvider, send) : undefined

  return async function ask(sent, isRepeated = false): Promise<Response> {
    const ready = { ...sent, headers: await headersWith(sent.headers) }
    secrets.note(ready.headers)
    // A redirect would carry the headers elsewhere: none is followed.
    const response = await answerTo(() => send(url, { ...ready, redirect: 'manual' }), sent.signal)
    if (response.ok) return response
    const said = await untilAborted(startOfText(response), sent.signal)
    if (!isRepeated && (await hasSignedIn?.(response, ready))) return ask(sent, true)
    throw refusalOf(response, { url, said, hasSession: session.id !== undefined })
  }

  async function answerTo(
    request: () => Promise<Response>,
    signal: AbortSignal,
  ): Promise<Response> {
    try {
      return await request()
    } catch (cause) {
      if (signal.aborted) throw cause
      throw new McpServerError(
        'unreachable',
        `The MCP server at ${url.host} cannot be reached. Check that it runs, that the address is right, and that it allows this page by CORS.`,
      )
    }
  }

  async function headersWith(wanted: Readonly<Record<string, string>>): Promise<Headers> {
    const { id, protocolVersion } = session
    try {
      const tokens = await authProvider?.tokens()
      return new Headers({
        ...wanted,
        ...defined({ 'mcp-session-id': id, 'mcp-protocol-version': protocolVersion }),
        ...(tokens && { authorization: bearer(tokens) }),
        ...(await headers?.()),
      })
    } catch {
      // The platform's own message quotes the header.
      const message =
        'The headers for the MCP server could not be made. Check what `headers` and `authProvider` give.'
      throw new McpServerError('auth', message)
    }
  }
}

/** Signs in for a request that was refused. Returns whether there is a token to try now. */
function createSignIn(
  url: URL,
  provider: OAuthClientProvider,
  fetch: NonNullable<McpHttpOptions['fetch']>,
) {
  /** Every request that is refused meanwhile waits for it: a token for renewal is good once. */
  let signingIn: Promise<boolean> | undefined
  return async (
    response: Response,
    { headers, signal }: { readonly headers: Headers; readonly signal: AbortSignal },
  ): Promise<boolean> => {
    if (response.status !== 401 && response.status !== 403) return false
    const { mayHelp, signIn } = await import('./sign-in.ts')
    if (!mayHelp(response)) return false
    const tokens = await provider.tokens()
    // Another request has got a token since this one was sent.
    if (response.status === 401 && tokens && headers.get('authorization') !== bearer(tokens))
      return true
    signingIn ??= signIn(response, { url, provider, fetch }).finally(() => {
      signingIn = undefined
    })
    return untilAborted(signingIn, signal)
  }
}

function bearer({ access_token: token }: { readonly access_token: string }): string {
  // As headers keep it.
  return `Bearer ${token}`.trim()
}
