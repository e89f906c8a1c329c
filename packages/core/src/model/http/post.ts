import { openText, startOfText } from './body-text.ts'
import type { Endpoint, EndpointOptions } from './endpoint.ts'
import { Failed, failure } from './failures.ts'

/** One request with a JSON body. */
export interface Post {
  /** The path behind the base URL, for instance `/v1/messages`. */
  readonly path: string
  readonly body: unknown
  /** The key, sent as a bearer token. `null` where none is needed. */
  readonly key: string | null
  readonly signal: AbortSignal
  /** Headers that a provider requires; the user's own win over them. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends a request and gives its answer, once it is known to be one. Throws `Failed` for a server that refuses, leads
 * elsewhere or cannot be reached, and what `fetch` throws when the signal is aborted.
 */
export async function post(
  endpoint: Endpoint,
  { fetch: send = globalThis.fetch, headers: own = {} }: EndpointOptions,
  request: Post,
): Promise<Response> {
  const init = toInit(request, own)
  let response: Response
  try {
    response = await send(endpoint.baseURL.replace(/\/*(?=[?#]|$)/, request.path), init)
  } catch (error) {
    throw request.signal.aborted ? error : new Failed({ what: 'unreachable' })
  }
  const { ok, status, headers } = response
  if (ok) return response
  if (isRedirect(response)) {
    openText(response).close()
    throw new Failed({ what: 'redirect' })
  }
  throw new Failed({ what: 'refused', status, headers, said: await startOfText(response) })
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
      // A redirect would carry conversation and key elsewhere: none is followed.
      redirect: 'manual',
      // The cookies of the page are for its own proxy.
      credentials: 'same-origin',
    }
  } catch {
    throw failure('bad_request', 'The request could not be sent. Check `headers` and `baseURL`.')
  }
}

function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)
}
