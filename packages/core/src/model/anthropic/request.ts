import type {
  MessageCountTokensParams,
  MessageCreateParamsStreaming,
  ToolChoice,
} from '@anthropic-ai/sdk/resources/messages/messages'
import { defined } from '../../internal/defined.ts'
import type { ModelRequest, OutputFormat } from '../port.ts'
import { type AnthropicCacheTime, markForCache } from './cache.ts'
import { formatForAnthropic } from './format.ts'

/** What is asked of a model. */
export interface AnthropicRequestOptions {
  /** The model's id, for instance `claude-opus-5-5`. */
  readonly model: string
  /** How many tokens one answer may have, its thinking included. Default: 32,000. */
  readonly maxTokens?: number
  /**
   * How long the vendor keeps what was sent, so that a conversation that grows is cheap to send again: the
   * first time costs a quarter more than usual (`'1h'`: twice as much), every other a tenth or less. `null`
   * turns it off. Default: `'5m'`, counted again from every request.
   */
  readonly cache?: AnthropicCacheTime
  /** Whether and how the model thinks before it answers. `null` turns it off. Default: as the model likes. */
  readonly thinking?: AnthropicThinkingOption
  /** How much work goes into an answer; with `between_tools` at most `high`. Default: as the model likes. */
  readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max'
  /**
   * Whether the model has to call a tool, and which. Default: it decides. It counts for every request, so an
   * agent whose model has to call goes on until a tool terminates the run or its turns are used up. A model
   * that always thinks cannot be made to call.
   */
  readonly toolChoice?: AnthropicToolChoice
  /**
   * Whether outputs are asked for by the API's own format, as JSON Schema, or with a tool that takes the final answer, which
   * every model that calls tools understands. Default: `true` for the models of the vendor's price list at its own API,
   * unless `toolChoice` makes the model call.
   */
  readonly structuredOutput?: boolean
  /**
   * More fields of the request, for instance `{ service_tier: 'auto' }`. Its `tools` are added to the
   * agent's: `{ tools: [{ type: 'web_search_20260318', name: 'web_search' }] }` is run by the vendor.
   */
  readonly extraBody?: AnthropicExtraBody
}

/**
 * `adaptive`: the model decides how much. `enabled`: up to `budgetTokens`, for models before 4.6. `display`:
 * whether what it thinks can be read; most models since 4.7 show nothing unless it is `'summarized'`.
 */
export type AnthropicThinkingOption =
  | { readonly type: 'adaptive'; readonly display?: 'summarized' | 'omitted' }
  | {
      readonly type: 'enabled'
      readonly budgetTokens: number
      readonly display?: 'summarized' | 'omitted'
    }
  | { readonly type: 'between_tools' }
  | null

/** `'required'`: some tool. A name: that tool. */
export type AnthropicToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** What may be added to a request: everything that does not come from the conversation. */
export type AnthropicExtraBody = Partial<
  Omit<MessageCreateParamsStreaming, 'model' | 'max_tokens' | 'messages' | 'system' | 'stream'>
>

const usualMaxTokens = 32_000

/** Throws a `TypeError` for options that the API would refuse together. */
export function checkOptions(options: AnthropicRequestOptions): void {
  const { maxTokens = usualMaxTokens, thinking, toolChoice, effort } = options
  if (!Number.isInteger(maxTokens) || maxTokens < 1) {
    throw new TypeError('`maxTokens` must be a whole number of at least 1.')
  }
  if (thinking && isForced(toolChoice)) {
    throw new TypeError(
      'A model that thinks cannot be made to call a tool. Leave `thinking` out, or set `toolChoice` to "auto" or "none".',
    )
  }
  if (thinking?.type === 'between_tools' && (effort === 'xhigh' || effort === 'max')) {
    throw new TypeError(
      `\`between_tools\` takes an \`effort\` of at most "high", not "${effort}". Lower it, or leave \`thinking\` out.`,
    )
  }
  if (thinking?.type !== 'enabled') return
  const { budgetTokens } = thinking
  if (!Number.isInteger(budgetTokens) || budgetTokens < 1024 || budgetTokens >= maxTokens) {
    throw new TypeError(
      `\`budgetTokens\` must be a whole number from 1024 to less than \`maxTokens\` (${maxTokens}).`,
    )
  }
}

/** Whether the model has to call a tool. */
export function isForced(toolChoice: AnthropicToolChoice | undefined): boolean {
  return toolChoice === 'required' || typeof toolChoice === 'object'
}

/** The whole body of a request for an answer. */
export function toBody(
  request: ModelRequest,
  options: AnthropicRequestOptions,
): MessageCreateParamsStreaming {
  const { model, maxTokens = usualMaxTokens, cache = '5m', extraBody = {} } = options
  const { tools: _, tool_choice: __, ...extra } = extraBody
  const { messages, output: _output, ...rest } = request
  const { tools, tool_choice, ...format } = formatForAnthropic(messages, {
    ...rest,
    model: { provider: 'anthropic', id: model },
  })
  const system = markForCache({ ...format, ...(tools && { tools }) }, cache)
  const offered = [...(extraBody.tools ?? []), ...(tool_choice ? [] : (tools ?? []))]
  return {
    ...extra,
    ...settings(options, request.output),
    messages: format.messages,
    model,
    max_tokens: maxTokens,
    stream: true,
    ...defined({ system }),
    ...(offered.length > 0
      ? { tools: offered, ...choiceField(options) }
      : tools && { tools, ...(tool_choice && { tool_choice }) }),
  }
}

/** The part of a body that has tokens: the API refuses fields about the answer when it counts. */
export function toCountedBody(body: MessageCreateParamsStreaming): MessageCountTokensParams {
  const { model, messages, system, tools, tool_choice, thinking, output_config } = body
  return {
    model,
    messages,
    ...defined({ system, tools, tool_choice, thinking, output_config }),
  }
}

function settings(
  { thinking, effort, extraBody }: AnthropicRequestOptions,
  output?: OutputFormat,
): AnthropicExtraBody {
  const config = {
    ...defined({ effort }),
    ...(output && { format: { type: 'json_schema', schema: output.schema } as const }),
  }
  return {
    ...(thinking !== undefined && { thinking: thinkingField(thinking) }),
    ...((effort !== undefined || output) && {
      output_config: { ...extraBody?.output_config, ...config },
    }),
  }
}

type ThinkingField = NonNullable<MessageCreateParamsStreaming['thinking']>

function thinkingField(thinking: AnthropicThinkingOption): ThinkingField {
  if (thinking === null) return { type: 'disabled' }
  if (thinking.type !== 'enabled') return thinking
  const { budgetTokens, ...rest } = thinking
  return { ...rest, budget_tokens: budgetTokens }
}

function choiceField({ toolChoice, extraBody }: AnthropicRequestOptions): {
  readonly tool_choice?: ToolChoice
} {
  const choice = toolChoice === undefined ? extraBody?.tool_choice : toToolChoice(toolChoice)
  return defined({ tool_choice: choice })
}

function toToolChoice(choice: AnthropicToolChoice): ToolChoice {
  if (typeof choice === 'object') return { type: 'tool', name: choice.name }
  return { type: choice === 'required' ? 'any' : choice }
}
