import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import { AnthropicError } from '@anthropic-ai/sdk/error'
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages/messages'
import { untilAborted } from '../../internal/abort.ts'
import {
  type AnthropicTarget,
  noKey,
  notAStream,
  toModelError,
  unsendableRequest,
} from './errors.ts'

/** How the Messages API is reached. */
export interface AnthropicConnectionOptions {
  /** The model's id, for instance `claude-opus-5-5`. */
  readonly model: string
  /** The key, or a function that is asked for it before every request. `null`: the server needs none. */
  readonly apiKey?: string | (() => string | Promise<string>) | null
  /** Where the Messages API is, without `/v1`; may be relative to the page. Default: Anthropic's own. */
  readonly baseURL?: string
  /** Replaces the platform's `fetch`, for instance with a scripted answer. */
  readonly fetch?: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** More headers; `null` removes one that would be sent. */
  readonly headers?: Readonly<Record<string, string | null>>
}

export interface Connection {
  readonly client: BaseAnthropic
  readonly target: AnthropicTarget
}

/** Prepares the SDK's client so that it does one request at a time, as told, and nothing else. */
export function connect(options: AnthropicConnectionOptions): Connection {
  const { apiKey, fetch, headers = {} } = options
  const baseURL = toAbsolute(options.baseURL ?? 'https://api.anthropic.com')
  let lastKey = ''
  const askForKey = async (source: NonNullable<typeof apiKey>) => {
    lastKey = await readKey(source)
    return lastKey
  }
  const client = new BaseAnthropic({
    baseURL,
    // Without a key the SDK looks for credentials of its own. The null header takes the stand-in out again.
    apiKey: apiKey ? () => askForKey(apiKey) : 'none',
    defaultHeaders: apiKey ? headers : { authorization: null, ...headers },
    dangerouslyAllowBrowser: true,
    // The runtime retries: it knows what was shown and what ran.
    maxRetries: 0,
    // The SDK's log quotes answers, and its tracing adds headers that a proxy may refuse.
    logLevel: 'off',
    openTelemetry: false,
    // A redirect would carry the conversation where nobody sent it.
    fetchOptions: { redirect: 'error' },
    ...(fetch && { fetch }),
  })
  const redact = (text: string) => withoutSecrets(text, [lastKey, ...Object.values(headers)])
  return { client, target: { host: new URL(baseURL).host, model: options.model, redact } }
}

/**
 * Sends one request and gives the raw events of its answer, as they come. Throws a `ModelError`, or
 * `signal.reason` as soon as the signal is aborted, even if `fetch` or the body pay no heed to it.
 */
export async function* openEvents(
  { client, target }: Connection,
  question: { readonly body: MessageCreateParamsStreaming; readonly signal: AbortSignal },
): AsyncGenerator<unknown, void, undefined> {
  const { body, signal } = question
  signal.throwIfAborted()
  let isEmpty = true
  let contentType: string | null = null
  try {
    const options = { body, signal, stream: true }
    const sent = client.post<AsyncIterable<unknown>>('/v1/messages', options).withResponse()
    const { data, response } = await untilAborted(sent.catch(rejectUnsent), signal)
    contentType = response.headers.get('content-type')
    for await (const event of abortable(data, signal)) {
      isEmpty = false
      yield event
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : toModelError(error, target)
  }
  if (isEmpty && contentType && !contentType.startsWith('text/event-stream')) {
    throw notAStream(target, contentType)
  }
}

function toAbsolute(baseURL: string): string {
  if (URL.canParse(baseURL)) return baseURL
  const page = typeof location === 'undefined' ? undefined : location.origin
  if (!URL.canParse(baseURL, page)) {
    throw new TypeError(
      `The baseURL "${baseURL}" is no URL. Outside of a page it must be absolute.`,
    )
  }
  return new URL(baseURL, page).href
}

async function readKey(source: string | (() => string | Promise<string>)): Promise<string> {
  const key = typeof source === 'string' ? source : await askFor(source)
  if (!key) throw noKey('There is no API key.')
  // Checked here because a failing header quotes its value, and the value is the key.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw noKey('The API key has a space, a line break or a letter in it that no key has.')
  }
  return key
}

async function askFor(source: () => string | Promise<string>): Promise<string> {
  try {
    return await source()
  } catch {
    throw noKey('The API key could not be read.')
  }
}

/** Before the request is out, only the SDK's own errors are about the server. */
function rejectUnsent(error: unknown): never {
  throw error instanceof AnthropicError ? error : unsendableRequest()
}

async function* abortable<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  const iterator = items[Symbol.asyncIterator]()
  try {
    while (true) {
      signal.throwIfAborted()
      const step = await untilAborted(iterator.next(), signal)
      if (step.done) return
      yield step.value
    }
  } finally {
    // Closes the connection. Not awaited: a body that hangs would hang this too.
    iterator.return?.().catch(() => undefined)
  }
}

/** Key material that a server quotes: what was sent, and whatever looks like it. */
function withoutSecrets(text: string, sent: readonly (string | null)[]): string {
  const secrets = sent.flatMap((value) => value?.split(' ').at(-1) ?? [])
  return secrets
    .filter((secret) => secret.length >= 8)
    .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
    .replace(/\bsk-[\w-]{6,}|\bBearer\s+\S+/g, '[secret]')
}
