import type { MessageCountTokensParams } from '@anthropic-ai/sdk/resources/messages/messages'
import { waitedTooLong } from '../../internal/abort.ts'
import { platformClock } from '../../internal/clock.ts'
import { late, nothingToAnswer } from '../http/failures.ts'
import { streamAnswer } from '../http/stream-answer.ts'
import { createKeyFilter } from '../http/without-keys.ts'
import { garbled, type Model, type ModelRequest } from '../port.ts'
import type { Price } from '../price.ts'
import { type AnthropicConnectionOptions, type Connection, connect } from './connection.ts'
import { listPriceOf } from './prices.ts'
import {
  type AnthropicRequestOptions,
  checkOptions,
  isForced,
  toBody,
  toCountedBody,
} from './request.ts'
import { createAnswerReader } from './stream.ts'

/** Which Claude model answers, how it is reached, and what is asked of it. */
export interface AnthropicOptions extends AnthropicConnectionOptions, AnthropicRequestOptions {
  /**
   * What tokens cost, so that a run may have a budget in money. `null`: costs are not counted. Default: the vendor's
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
 * const theirs = anthropic({ model: 'claude-opus-5-5', client: new AnthropicVertex({ region: 'global' }) })
 * const local = anthropic({
 *   model: 'qwen3',
 *   baseURL: 'http://localhost:11434',
 *   headers: { 'anthropic-version': null, 'anthropic-dangerous-direct-browser-access': null },
 * })
 * ```
 */
export function anthropic(options: AnthropicOptions): AnthropicModel {
  const { model, client, toolChoice, structuredOutput } = options
  const listPrice = listPriceOf(model)
  const { price = listPrice } = options
  checkConnection(options)
  checkOptions(options)
  const connection = connect(model, options)
  const write = (request: ModelRequest) => {
    const body = toBody(request, options)
    if (body.messages.length === 0) throw nothingToAnswer()
    return body
  }
  return {
    identity: { provider: 'anthropic', id: model },
    reportsCost: price !== null && price !== undefined,
    structuredOutput:
      structuredOutput ?? (!client && listPrice !== undefined && !isForced(toolChoice)),
    stream: (request, asked) =>
      streamAnswer(() => {
        const body = write(request)
        const reader = createAnswerReader({ maxTokens: body.max_tokens, price })
        const withoutKeys = createKeyFilter(connection.target.keys, request.output)
        return { withoutKeys, events: connection.ask(body, asked), ...reader }
      }, asked.signal),
    countTokens: async (request, { signal } = {}) =>
      countTokens(connection, toCountedBody(write(request)), signal),
  }
}

function checkConnection({ client, ...own }: AnthropicConnectionOptions): void {
  const { apiKey, baseURL, fetch } = own
  if (!client && !apiKey && !baseURL && !fetch) {
    throw new TypeError(
      'anthropic() needs an `apiKey`, or the `baseURL` of a proxy that has one, or a `fetch` that answers itself, or a `client`.',
    )
  }
  if (!client) return
  if (typeof client.messages?.create !== 'function') {
    throw new TypeError('The `client` must be one of @anthropic-ai/sdk, Bedrock or Vertex.')
  }
  const taken = (['apiKey', 'baseURL', 'fetch', 'headers'] as const).filter((name) => own[name])
  if (taken.length > 0) {
    throw new TypeError(
      `With a \`client\` there is no \`${taken[0]}\` here: give it to the client.`,
    )
  }
}

/** Milliseconds that a count may take: it is short, and comes whole. */
const countPatienceMs = 60_000

async function countTokens(
  { count, target }: Connection,
  body: MessageCountTokensParams,
  signal?: AbortSignal,
): Promise<number> {
  const patience = new AbortController()
  const stop = platformClock.setTimer(countPatienceMs, () => patience.abort(waitedTooLong))
  const signals = signal ? [signal, patience.signal] : [patience.signal]
  try {
    for await (const { input_tokens: tokens } of count(body, {
      signal: AbortSignal.any(signals),
    })) {
      if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0) return tokens
    }
    throw garbled('there is no count in it')
  } catch (error) {
    throw error === waitedTooLong ? late(target) : error
  } finally {
    stop()
  }
}
