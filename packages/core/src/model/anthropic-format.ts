import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageParam,
  TextBlockParam,
  Tool,
  ToolChoiceNone,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages'
import type { Json } from '../internal/json.ts'
import {
  type AssistantMessage,
  callsOf,
  type Message,
  type ModelIdentity,
  type Part,
  readArgs,
  type SystemMessage,
  type ToolCallContent,
  type ToolResultMessage,
} from '../kernel/message.ts'
import type { ToolSpec } from './port.ts'

/** What a request needs to know besides the messages. */
export interface AnthropicFormatOptions {
  /** Who will read this. Thinking goes back only to the model that made it. */
  readonly model: ModelIdentity
  readonly system?: string
  readonly tools?: readonly ToolSpec[]
}

/** The fields of a Messages request that come from a conversation. */
export interface AnthropicFormat {
  readonly system?: string
  readonly messages: MessageParam[]
  readonly tools?: Tool[]
  readonly tool_choice?: ToolChoiceNone
}

/**
 * Turns a conversation into the fields of an Anthropic Messages request that the API accepts.
 *
 * The results of one answer go into one user message, in call order and before any text; arguments that are
 * no JSON object go out as `{}`; unsigned or foreign thinking and empty texts are left out; system messages
 * join `system`, because not every model takes them among the others. Throws a `TypeError` for a
 * conversation in which a call has no result, or a result no call.
 *
 * @example
 * ```ts
 * const model = { provider: 'anthropic', id: 'claude-opus-5-5' }
 * const fields = formatForAnthropic(messages, { model, system: 'Be brief.', tools })
 * await client.messages.create({ model: model.id, max_tokens: 8192, ...fields })
 * ```
 */
export function formatForAnthropic(
  messages: readonly Message[],
  options: AnthropicFormatOptions,
): AnthropicFormat {
  const system = systemText(options.system ?? '', messages)
  return {
    ...(system !== '' && { system }),
    messages: toTurns(messages, options.model),
    ...toolFields(options.tools ?? [], messages),
  }
}

function systemText(system: string, messages: readonly Message[]): string {
  const texts = messages
    .filter((message): message is SystemMessage => message.role === 'system')
    .flatMap((message) => message.content.map((part) => part.text))
  return wellFormed([system, ...texts].filter(hasInk).join('\n\n'))
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: ContentBlockParam[]
}

function toTurns(messages: readonly Message[], model: ModelIdentity): Turn[] {
  const turns: Turn[] = []
  const usedIds = new Set<string>()
  const answered = new Set<ToolResultMessage>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') {
      add(turns, 'user', message.content.flatMap(partBlocks))
    } else if (message.role === 'assistant') {
      const calls = callsOf(message.content).map((call) => ({ call, id: wireId(call, usedIds) }))
      add(turns, 'assistant', answerBlocks(message, calls, model))
      add(turns, 'user', resultBlocks(calls, resultsAfter(messages, index), answered))
    } else if (message.role === 'toolResult' && !answered.has(message)) {
      throw new TypeError(
        `The result of "${message.toolCallId}" does not follow its call. Put it right after the message that made the call.`,
      )
    }
  }
  // A branch may begin with an answer, a request may not.
  if (turns[0]?.role === 'assistant') {
    turns.unshift({
      role: 'user',
      content: [{ type: 'text', text: '(The conversation goes on.)' }],
    })
  }
  return turns
}

/** Neighbours of one role become one message: the API joins them anyway, other servers refuse them. */
function add(turns: Turn[], role: Turn['role'], content: readonly ContentBlockParam[]): void {
  if (content.length === 0) return
  const last = turns.at(-1)
  if (last?.role === role) last.content.push(...content)
  else turns.push({ role, content: [...content] })
}

interface WireCall {
  readonly call: ToolCallContent
  readonly id: string
}

/** The call's id, or one made from it if the API would refuse it or has it already. */
function wireId({ toolCallId }: ToolCallContent, used: Set<string>): string {
  const legal = legalName(toolCallId)
  let id = legal
  for (let n = 2; used.has(id); n += 1) id = `${legal.slice(0, 56)}_${n}`
  used.add(id)
  return id
}

function legalName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_'
}

function answerBlocks(
  message: AssistantMessage,
  calls: readonly WireCall[],
  model: ModelIdentity,
): readonly ContentBlockParam[] {
  const isOwn = message.model.provider === model.provider && message.model.id === model.id
  const blocks = message.content.flatMap((part): ContentBlockParam[] => {
    if (part.type === 'text') return textBlocks(part.text)
    if (part.type === 'thinking') {
      const { text, signature, redacted } = part
      if (!isOwn) return []
      if (redacted !== undefined) return [{ type: 'redacted_thinking', data: redacted }]
      return signature ? [{ type: 'thinking', thinking: text, signature }] : []
    }
    const id = calls.find(({ call }) => call === part)?.id ?? part.toolCallId
    return [{ type: 'tool_use', id, name: legalName(part.toolName), input: inputOf(part) }]
  })
  // The API refuses an answer that ends in thinking, as one that was cut off there does.
  return blocks.slice(0, blocks.findLastIndex((block) => !isThinking(block)) + 1)
}

function isThinking({ type }: ContentBlockParam): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

function inputOf(call: ToolCallContent): Json {
  const reading = readArgs(call.argsText)
  return reading.ok ? wellFormedJson(reading.args) : {}
}

function resultsAfter(messages: readonly Message[], index: number): readonly ToolResultMessage[] {
  const results: ToolResultMessage[] = []
  for (const message of messages.slice(index + 1)) {
    if (message.role === 'toolResult') results.push(message)
    else if (message.role !== 'system') break
  }
  return results
}

function resultBlocks(
  calls: readonly WireCall[],
  results: readonly ToolResultMessage[],
  answered: Set<ToolResultMessage>,
): readonly ToolResultBlockParam[] {
  return calls.map(({ call, id }) => {
    const result = results.find((r) => r.toolCallId === call.toolCallId && !answered.has(r))
    if (!result) {
      throw new TypeError(
        `The call "${call.toolCallId}" of ${call.toolName} has no result. Add a toolResult message right after the message that made the call.`,
      )
    }
    answered.add(result)
    return resultBlock(id, result)
  })
}

function resultBlock(id: string, { content, isError }: ToolResultMessage): ToolResultBlockParam {
  const block = { type: 'tool_result', tool_use_id: id } as const
  if (!isError) {
    const parts = content.flatMap(partBlocks)
    return parts.length === 0 ? block : { ...block, content: parts }
  }
  // An error must have content, and text only.
  const texts = content.flatMap((part) => (part.type === 'text' ? textBlocks(part.text) : []))
  const reason = texts.length === 0 ? textBlocks('The tool failed and gave no reason.') : texts
  return { ...block, content: reason, is_error: true }
}

function partBlocks(part: Part): (TextBlockParam | ImageBlockParam)[] {
  if (part.type === 'text') return textBlocks(part.text)
  const { mediaType, data } = part
  if (!isReadable(mediaType) || data === '') {
    return textBlocks(`[An image was left out: the model cannot read ${mediaType}.]`)
  }
  return [{ type: 'image', source: { type: 'base64', media_type: mediaType, data } }]
}

function isReadable(type: string): type is 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp' {
  return ['image/jpeg', 'image/png', 'image/gif', 'image/webp'].includes(type)
}

function textBlocks(text: string): TextBlockParam[] {
  return hasInk(text) ? [{ type: 'text', text: wellFormed(text) }] : []
}

/** A text of white space alone is refused like an empty one. */
function hasInk(text: string): boolean {
  return text.trim() !== ''
}

/** Half a surrogate pair is no Unicode: one of them would make this and every later request fail. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}

function wellFormedJson(value: Json): Json {
  if (typeof value === 'string') return wellFormed(value)
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(wellFormedJson)
  const entries = Object.entries(value).map(([key, field]): [string, Json] => [
    wellFormed(key),
    wellFormedJson(field ?? null),
  ])
  return Object.fromEntries(entries)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function toolFields(
  tools: readonly ToolSpec[],
  messages: readonly Message[],
): Pick<AnthropicFormat, 'tools' | 'tool_choice'> {
  if (tools.length > 0) return { tools: tools.map(toolParam) }
  const called = messages.flatMap((message) =>
    message.role === 'assistant' ? callsOf(message.content).map((call) => call.toolName) : [],
  )
  if (called.length === 0) return {}
  // A history with calls must define tools, even where none may be called any more.
  const names = [...new Set(called.map(legalName))]
  return {
    tools: names.map((name) => ({ name, input_schema: { type: 'object' } })),
    tool_choice: { type: 'none' },
  }
}

function toolParam({ name, description, inputSchema }: ToolSpec): Tool {
  return {
    name,
    description: wellFormed(description),
    input_schema: { ...inputSchema, type: 'object' },
    // Without it a long argument arrives in one piece at its end.
    eager_input_streaming: true,
  }
}
