import { isObject } from '../../internal/json.ts'
import { messageOf } from '../../internal/message-of.ts'
import { readJson } from '../../internal/read-json.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { Failed, failure, late } from '../http/failures.ts'
import { redacted } from '../http/redacted.ts'

/**
 * A client of `@anthropic-ai/sdk`, or that of its packages for Bedrock and Vertex, as far as it is used here. The
 * client only sends requests: the agent reads the answers and repeats failed requests.
 */
export interface AnthropicClient {
  /** Where it sends requests. */
  readonly baseURL: string
  // Methods, because TypeScript is less strict with those: the clients' own take bodies of more exact types, in several
  // overloads.
  /** The part of it that is called. */
  readonly messages: {
    /** Asks for an answer. */
    create(body: object, options: AnthropicClientCall): AnthropicClientResponse
    /** Counts tokens. Not every service can. */
    countTokens?(body: object, options: AnthropicClientCall): AnthropicClientResponse
  }
}

/** How a client is called. */
export interface AnthropicClientCall {
  /** Stops the request. */
  readonly signal: AbortSignal
  /** Always 0, because the agent retries by itself. */
  readonly maxRetries: number
}

/** What a client gives for a call. */
export interface AnthropicClientResponse {
  /** The response as it came, its body unread. Rejects for one that is not OK. */
  readonly asResponse: () => Promise<Response>
}

/** The keys of a client, which are removed from texts of the server. */
export function secretsOf(client: AnthropicClient): readonly string[] {
  return Object.entries(client).flatMap(([name, value]) =>
    typeof value === 'string' && /key|token/i.test(name) ? [value] : [],
  )
}

/** The response of a call. Throws `Failed` or a `ModelError`, as the same failure without a client would. */
export async function responseOf(
  call: () => AnthropicClientResponse | undefined,
  endpoint: Endpoint,
): Promise<Response> {
  try {
    const pending = call()
    if (pending) return await pending.asResponse()
  } catch (thrown) {
    throw translated(thrown, endpoint)
  }
  throw failure('bad_request', 'This client cannot count tokens. Count with another one.')
}

function translated(thrown: unknown, { target }: Endpoint): Error {
  const { status, headers, error, name } = isObject(thrown) ? thrown : {}
  if (typeof status === 'number') {
    const said = readJson(error) ?? null
    const read = headers instanceof Headers ? headers : undefined
    return new Failed({ what: 'refused', status, headers: read, said })
  }
  // Errors are recognised by their names, because their classes would have to be loaded, and there may be two copies of
  // them.
  if (name === 'APIConnectionTimeoutError') return late(target)
  if (name === 'APIConnectionError') return new Failed({ what: 'unreachable' })
  // Any other error was thrown before the client had sent anything.
  const reason = redacted(messageOf(thrown), target).slice(0, 500)
  const kind = /credential|authenticat|api.?key|token/i.test(reason) ? 'auth' : 'bad_request'
  return failure(kind, `The client could not send the request: ${reason}`)
}
