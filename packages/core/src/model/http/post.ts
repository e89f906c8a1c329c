import type { Endpoint, EndpointOptions } from './endpoint.ts'
import { refused, unsendable } from './failures.ts'
import { readRefusal, refusalText } from './refusal.ts'
import { rejectRedirect } from './stay-here.ts'
import { unreachable } from './unreachable.ts'

/** One request with a JSON body. */
export interface Post {
  /** Behind the base URL, for instance `/v1/messages`. */
  readonly path: string
  readonly body: unknown
  /** Sent as a bearer token. `null` where none is needed. */
  readonly key: string | null
  readonly signal: AbortSignal
  /** What a provider wants besides; the user's own headers win over them. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends a request and gives its answer, once it is known to be one. Throws a `ModelError` for a server that
 * refuses, leads elsewhere or cannot be reached, and what `fetch` throws when the signal is aborted.
 */
export async function post(
  endpoint: Endpoint,
  { fetch: send = globalThis.fetch, headers: own = {} }: EndpointOptions,
  request: Post,
): Promise<Response> {
  const { target, baseURL } = endpoint
  const init = toInit(request, own)
  const response = rejectRedirect(
    await answerTo(() => send(`${baseURL}${request.path}`, init)),
    target,
  )
  if (response.ok) return response
  const { status, headers } = response
  throw refused({ ...readRefusal(await refusalText(response), headers), status }, target)

  async function answerTo(ask: () => Promise<Response>): Promise<Response> {
    try {
      return await ask()
    } catch (error) {
      throw request.signal.aborted ? error : await unreachable(endpoint)
    }
  }
}

function toInit(
  { body, key, signal, headers: wanted = {} }: Post,
  own: Readonly<Record<string, string | null>>,
): RequestInit {
  try {
    const headers = new Headers({ 'content-type': 'application/json', ...wanted })
    if (key !== null) headers.set('authorization', `Bearer ${key}`)
    for (const [name, value] of Object.entries(own)) {
      if (value === null) headers.delete(name)
      else headers.set(name, value)
    }
    return {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
      signal,
      // A redirect would carry the conversation where nobody sent it.
      redirect: 'manual',
      // The cookies of the page are for its own proxy.
      credentials: 'same-origin',
    }
  } catch {
    throw unsendable()
  }
}
