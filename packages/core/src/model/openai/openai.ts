import type { JsonObject } from '../../internal/json.ts'
import { nothingToAnswer } from '../http/failures.ts'
import { streamAnswer } from '../http/stream-answer.ts'
import type { Model, ModelRequest } from '../port.ts'
import type { Price } from '../price.ts'
import { connect, type OpenAIConnectionOptions, type RequestBody } from './connection.ts'
import { formatForOpenAI, type OpenAIFormat } from './format.ts'
import { createAnswerReader } from './stream.ts'

/** Which model answers, how it is reached, and what is asked of it. */
export interface OpenAIOptions extends OpenAIConnectionOptions {
  /**
   * How many tokens one answer may have, its thinking included. Default: as many as the server allows. OpenAI
   * and Azure are sent `max_completion_tokens`, all others `max_tokens`; a proxy in front of OpenAI needs
   * `extraBody: { max_completion_tokens: 4096 }` instead.
   */
  readonly maxTokens?: number
  /** What tokens cost, so that a run may have a budget in money. A cost that the server reports comes first. */
  readonly price?: Price
  /** Whether the model has to call a tool, and which. Default: it decides. */
  readonly toolChoice?: OpenAIToolChoice
  /**
   * How much a reasoning model thinks. Default: as the model likes. OpenAI's models from `gpt-5.4` on take
   * tools here only with `'none'`.
   */
  readonly reasoningEffort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh'
  /**
   * Whether outputs are asked for by `response_format`, as JSON Schema, or with a tool that takes the final answer, which
   * every model that calls tools understands. Default: `true` for OpenAI, Azure and OpenRouter, unless `toolChoice` makes
   * the model call; many other servers call no tools while an answer is held to a schema.
   */
  readonly structuredOutput?: boolean
  /**
   * More fields of the request, for instance `{ temperature: 0 }`. `undefined` takes one out that would be
   * sent: `{ stream_options: undefined }` for servers that refuse to be asked for usage, as Mistral's does.
   */
  readonly extraBody?: OpenAIExtraBody
}

/** `'required'`: some tool. A name: that tool. */
export type OpenAIToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** What may be added to a request: everything that does not come from the conversation. */
export type OpenAIExtraBody = JsonObject & {
  readonly model?: never
  readonly messages?: never
  readonly tools?: never
  readonly stream?: never
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
    throw new TypeError(
      'openai() needs an `apiKey`, or the `baseURL` of a server that needs none, or a `fetch` that answers itself.',
    )
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
        const format = formatForOpenAI(request.messages, request)
        if (format.messages.length === 0) throw nothingToAnswer()
        const body = { ...toBody(format, options, host), ...outputField(request) }
        const { max_completion_tokens: limit, max_tokens: elsewhere } = body
        const reader = createAnswerReader({
          toolNames: new Set(request.tools.map(({ name }) => name)),
          maxTokens: Number(limit ?? elsewhere ?? Infinity),
          price: options.price,
        })
        const { keys } = connection.target
        return { keys, events: connection.ask(body, asked), ...reader }
      }, asked.signal),
  }
}

function toBody(format: OpenAIFormat, options: OpenAIOptions, host: string): RequestBody {
  const { model, maxTokens, toolChoice, reasoningEffort, extraBody } = options
  const limit = isOpenAI(host) ? 'max_completion_tokens' : 'max_tokens'
  return {
    // Without this field most servers report no usage.
    stream_options: { include_usage: true },
    ...(maxTokens !== undefined && { [limit]: maxTokens }),
    ...(reasoningEffort && { reasoning_effort: reasoningEffort }),
    // Without tools there is nothing to choose, and the field is refused.
    ...(toolChoice && format.tools && { tool_choice: toToolChoice(toolChoice) }),
    ...extraBody,
    model,
    stream: true,
    ...format,
  }
}

function isOpenAI(host: string): boolean {
  return /(^|\.)openai\.(azure\.)?com$/.test(host)
}

function outputField({ output }: ModelRequest): RequestBody {
  if (!output) return {}
  const { schema, isStrict } = output
  const json_schema = { name: 'answer', strict: isStrict, schema }
  return { response_format: { type: 'json_schema', json_schema } }
}

function toToolChoice(choice: OpenAIToolChoice): string | RequestBody {
  return typeof choice === 'string' ? choice : { type: 'function', function: choice }
}
