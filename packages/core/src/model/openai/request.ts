import type { JsonObject } from '../../internal/json.ts'
import { nothingToAnswer } from '../http/failures.ts'
import type { ModelRequest } from '../port.ts'
import type { RequestBody } from './connection.ts'
import { formatForOpenAI } from './format.ts'

/** What is asked of a model. */
export interface OpenAIRequestOptions {
  /**
   * How many tokens one answer may have, its thinking included. Default: as many as the server allows. OpenAI
   * and Azure are sent `max_completion_tokens`, all others `max_tokens`; a proxy in front of OpenAI needs
   * `extraBody: { max_completion_tokens: 4096 }` instead.
   */
  readonly maxTokens?: number
  /** Whether the model has to call a tool, and which. Default: it decides. */
  readonly toolChoice?: OpenAIToolChoice
  /**
   * How much a reasoning model thinks. Default: as the model likes. OpenAI's models from `gpt-5.4` on take
   * tools here only with `'none'`.
   */
  readonly reasoningEffort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh'
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

/** The body of a request. Throws a `ModelError` if there is no message to answer. */
export function toRequest(
  request: ModelRequest,
  options: OpenAIRequestOptions & { readonly model: string },
  host: string,
): RequestBody {
  const { model, maxTokens, toolChoice, reasoningEffort, extraBody } = options
  const format = formatForOpenAI(request.messages, request)
  if (format.messages.length === 0) throw nothingToAnswer()
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
    ...outputField(request),
  }
}

/** Whether a host is the vendor's own, or its service at Azure. */
export function isOpenAI(host: string): boolean {
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
