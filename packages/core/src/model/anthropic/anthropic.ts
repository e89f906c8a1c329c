import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages/messages'
import type { Model, ModelChunk, ModelRequest } from '../port.ts'
import { nothingToAnswer } from '../wire/failures.ts'
import {
  type AnthropicConnectionOptions,
  type Connection,
  connect,
  openEvents,
} from './connection.ts'
import { formatForAnthropic } from './format.ts'
import { readAnthropicEvents } from './stream.ts'

/** Which Claude model answers, how it is reached, and what is asked of it. */
export interface AnthropicOptions extends AnthropicConnectionOptions {
  /** How many tokens one answer may have. Default: 8192. */
  readonly maxTokens?: number
  /**
   * More fields of the request, for instance `{ thinking: { type: 'adaptive' } }`, or
   * `{ cache_control: { type: 'ephemeral' } }`, which makes a long history cheaper to send again.
   */
  readonly extraBody?: AnthropicExtraBody
}

/** What may be added to a request: everything that does not come from the conversation. */
export type AnthropicExtraBody = Partial<
  Omit<
    MessageCreateParamsStreaming,
    'model' | 'max_tokens' | 'messages' | 'system' | 'tools' | 'stream'
  >
>

/**
 * A Claude model over Anthropic's Messages API, straight from the page or through a proxy of your own.
 *
 * A key in a page belongs to the person in front of it: keep your own behind a proxy. It is sent to
 * `baseURL` and appears nowhere else. Usage is as reported: the whole input is
 * `inputTokens + cacheReadTokens + cacheWriteTokens`. A failed request throws a `ModelError`; nothing is
 * retried here.
 *
 * @example
 * ```ts
 * const model = anthropic({ model: 'claude-opus-5-5', apiKey: () => form.apiKey.value })
 * const ours = anthropic({ model: 'claude-opus-5-5', baseURL: '/api/anthropic' })
 * ```
 */
export function anthropic(options: AnthropicOptions): Model {
  if (!options.apiKey && !options.baseURL && !options.fetch) {
    throw new TypeError(
      'anthropic() needs an `apiKey`, or the `baseURL` of a proxy that has one, or a `fetch` that answers itself.',
    )
  }
  const connection = connect(options)
  return {
    identity: { provider: 'anthropic', id: options.model },
    stream: (request, { signal }) => streamAnswer(connection, { request, options, signal }),
  }
}

interface Question {
  readonly request: ModelRequest
  readonly options: AnthropicOptions
  readonly signal: AbortSignal
}

async function* streamAnswer(
  connection: Connection,
  { request, options, signal }: Question,
): AsyncGenerator<ModelChunk, void, undefined> {
  const body = toBody(request, options)
  if (body.messages.length === 0) throw nothingToAnswer()
  const events = openEvents(connection, { body, signal })
  for await (const chunk of readAnthropicEvents(events, { maxTokens: body.max_tokens })) {
    // One event may be several chunks; none of them comes after the abort.
    signal.throwIfAborted()
    yield chunk
  }
}

function toBody(request: ModelRequest, options: AnthropicOptions): MessageCreateParamsStreaming {
  const { model, maxTokens = 8192, extraBody } = options
  const { messages, ...rest } = request
  return {
    ...extraBody,
    model,
    max_tokens: maxTokens,
    stream: true,
    ...formatForAnthropic(messages, { ...rest, model: { provider: 'anthropic', id: model } }),
  }
}
