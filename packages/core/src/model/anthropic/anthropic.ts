import { waitedTooLong } from '../../internal/abort.ts'
import type { Json } from '../../internal/json.ts'
import { isJsonObject } from '../../internal/json.ts'
import { garbled, late, nothingToAnswer } from '../http/failures.ts'
import type { Model, ModelChunk, ModelRequest } from '../port.ts'
import type { Price } from '../price.ts'
import {
  type AnthropicConnectionOptions,
  type Connection,
  connect,
  openCount,
  openEvents,
} from './connection.ts'
import { listPriceOf, type ModelPrice } from './prices.ts'
import { type AnthropicRequestOptions, checkOptions, toBody, toCountedBody } from './request.ts'
import { readAnthropicEvents } from './stream.ts'

/** Which Claude model answers, how it is reached, and what is asked of it. */
export interface AnthropicOptions extends AnthropicConnectionOptions, AnthropicRequestOptions {
  /**
   * What tokens cost, so that a run may have a budget in money. `null`: nobody counts. Default: the vendor's
   * list price, if the model is known; what its own tools and faster service cost on top is not in it.
   * `cacheRead` is a tenth of `input` and `cacheWrite` what the vendor takes, unless they are given.
   */
  readonly price?: Price | null
}

/** A Claude model. */
export interface AnthropicModel extends Model {
  /**
   * How many tokens a request has, by the vendor's count, which is free. Fails like `stream`: with a
   * `ModelError`, of kind `timeout` after a minute, or with `signal.reason`.
   */
  readonly countTokens: (
    request: ModelRequest,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<number>
}

/**
 * A Claude model over Anthropic's Messages API, straight from the page or through a proxy of your own.
 *
 * A key in a page belongs to the person in front of it: keep your own behind a proxy. It is sent to
 * `baseURL` and appears nowhere else. Usage is as reported: the whole input is
 * `inputTokens + cacheReadTokens + cacheWriteTokens`. A failed request throws a `ModelError`; nothing is
 * retried here. Options that the API would refuse together are a `TypeError`.
 *
 * Ollama and LM Studio understand this API, too. Ollama lets no page send two of its headers: take them out.
 *
 * @example
 * ```ts
 * const model = anthropic({ model: 'claude-opus-5-5', apiKey: () => form.apiKey.value })
 * const ours = anthropic({ model: 'claude-opus-5-5', baseURL: '/api/anthropic' })
 * const local = anthropic({
 *   model: 'qwen3',
 *   baseURL: 'http://localhost:11434',
 *   headers: { 'anthropic-version': null, 'anthropic-dangerous-direct-browser-access': null },
 * })
 * ```
 */
export function anthropic(options: AnthropicOptions): AnthropicModel {
  const { model, apiKey, baseURL, fetch, price = listPriceOf(model) } = options
  if (!apiKey && !baseURL && !fetch) {
    throw new TypeError(
      'anthropic() needs an `apiKey`, or the `baseURL` of a proxy that has one, or a `fetch` that answers itself.',
    )
  }
  checkOptions(options)
  const asking: Asking = { connection: connect(model, options), options, price }
  return {
    identity: { provider: 'anthropic', id: model },
    reportsCost: price !== null && price !== undefined,
    stream: (request, { signal, onAlive }) => streamAnswer(asking, { request, signal, onAlive }),
    countTokens: (request, { signal = new AbortController().signal } = {}) =>
      countTokens(asking, { request, signal }),
  }
}

interface Asking {
  readonly connection: Connection
  readonly options: AnthropicOptions
  readonly price: ModelPrice | null | undefined
}

interface Question {
  readonly request: ModelRequest
  readonly signal: AbortSignal
  readonly onAlive?: (() => void) | undefined
}

async function* streamAnswer(
  { connection, options, price }: Asking,
  { request, signal, onAlive }: Question,
): AsyncGenerator<ModelChunk, void, undefined> {
  const body = toBody(request, options)
  if (body.messages.length === 0) throw nothingToAnswer()
  const events = openEvents(connection, { body, signal, onAlive })
  for await (const chunk of readAnthropicEvents(events, { maxTokens: body.max_tokens, price })) {
    // One event may be several chunks; none of them comes after the abort.
    signal.throwIfAborted()
    yield chunk
  }
}

/** Milliseconds that a count may take: it is short, and comes whole. */
const countPatienceMs = 60_000

async function countTokens(
  { connection, options }: Asking,
  { request, signal }: Question,
): Promise<number> {
  const body = toBody(request, options)
  if (body.messages.length === 0) throw nothingToAnswer()
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(waitedTooLong), countPatienceMs)
  const question = {
    body: toCountedBody(body),
    signal: AbortSignal.any([signal, patience.signal]),
  }
  try {
    let count: Json = null
    for await (const answer of openCount(connection, question)) {
      if (isJsonObject(answer)) count = answer['input_tokens'] ?? null
    }
    if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count
    throw garbled('there is no count in it')
  } catch (error) {
    throw error === waitedTooLong ? late(connection.endpoint.target) : error
  } finally {
    clearTimeout(timer)
  }
}
