import { streamAnswer } from '../http/stream-answer.ts'
import { createKeyFilter } from '../http/without-keys.ts'
import type { Model } from '../port.ts'
import type { Price } from '../price.ts'
import { connect, type OpenAIConnectionOptions } from './connection.ts'
import { isOpenAI, type OpenAIRequestOptions, toRequest } from './request.ts'
import { createAnswerReader } from './stream.ts'

/** Which model answers, how it is reached, and what is asked of it. */
export interface OpenAIOptions extends OpenAIConnectionOptions, OpenAIRequestOptions {
  /** What tokens cost, so that a run may have a budget in money. A cost that the server reports comes first. */
  readonly price?: Price
  /**
   * Whether outputs are asked for by `response_format`, as JSON Schema, or with a tool that takes the final answer, which
   * every model that calls tools understands. Default: `true` for OpenAI, Azure and OpenRouter, unless `toolChoice` makes
   * the model call; many other servers call no tools while an answer is held to a schema.
   */
  readonly structuredOutput?: boolean
}

/**
 * A model behind a Chat Completions API: OpenAI, or a server made after it, such as LM Studio, Ollama, vLLM
 * or OpenRouter, straight from the page or through a proxy of your own.
 *
 * A key in a page belongs to the person in front of it: keep your own behind a proxy. It is sent to
 * `baseURL` and appears nowhere else. Usage is as reported: the whole input is
 * `inputTokens + cacheReadTokens`. What a model thought is shown and never sent back. A failed request throws
 * a `ModelError`; nothing is retried here. Throws a `TypeError` for an invalid address.
 *
 * @example
 * ```ts
 * const apiKey = () => form.apiKey.value
 * const model = openai({ model: 'gpt-5.5', apiKey, reasoningEffort: 'none' })
 * const local = openai({ model: 'qwen3', baseURL: 'http://localhost:11434/v1' })
 * ```
 */
export function openai(options: OpenAIOptions): Model {
  if (!options.apiKey && !options.baseURL && !options.fetch) {
    throw new TypeError('openai() needs an `apiKey`, a `baseURL`, or a `fetch`.')
  }
  const connection = connect(options)
  const { host } = connection.target
  const isOpenRouter = /(^|\.)openrouter\.ai$/.test(host)
  return {
    identity: { provider: 'openai', id: options.model },
    reportsCost: options.price !== undefined || isOpenRouter,
    structuredOutput:
      options.structuredOutput ??
      ((isOpenRouter || isOpenAI(host)) && /^(auto|none)?$/.test(String(options.toolChoice ?? ''))),
    stream: (request, asked) =>
      streamAnswer(() => {
        const body = toRequest(request, options, host)
        const { max_completion_tokens: limit, max_tokens: elsewhere } = body
        const reader = createAnswerReader({
          toolNames: new Set(request.tools.map(({ name }) => name)),
          maxTokens: Number(limit ?? elsewhere ?? Infinity),
          price: options.price,
        })
        const withoutKeys = createKeyFilter(connection.target.keys, request.output)
        return { withoutKeys, events: connection.ask(body, asked), ...reader }
      }, asked.signal),
  }
}
