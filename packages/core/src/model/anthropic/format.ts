import {
  callsOf,
  type DocumentContent,
  type Message,
  type ModelIdentity,
  type Part,
  type ThinkingContent,
  type ToolCallContent,
} from '../../kernel/message.ts'
import {
  legalName,
  readableParts,
  sendableArgs,
  systemText,
  wellFormed,
} from '../format/sendable.ts'
import { type AnsweredCall, type Turn, toTurns } from '../format/turns.ts'
import type { ToolSpec } from '../port.ts'
import type {
  AnthropicBlock,
  AnthropicDocument,
  AnthropicMessage,
  AnthropicPart,
  AnthropicText,
  AnthropicTool,
  AnthropicToolResult,
  AnthropicToolUse,
} from './messages-api.ts'
import { createOwnBlocks, type OwnBlocks } from './own-blocks.ts'

/** What a request is made of besides the messages. */
export interface AnthropicFormatOptions {
  /** The model that is asked. Thinking goes back only to the model that made it: without `model` it is left out. */
  readonly model?: ModelIdentity
  readonly system?: string
  readonly tools?: readonly ToolSpec[]
}

/** The fields of a Messages request that come from a conversation. */
export interface AnthropicFormat {
  readonly system?: string
  readonly messages: AnthropicMessage[]
  readonly tools?: AnthropicTool[]
  readonly tool_choice?: { type: 'none' }
}

/**
 * Turns a conversation into the fields of an Anthropic Messages request that the API accepts. The agent's
 * own requests are made by it too.
 *
 * The results of one answer go into one user message, in call order and before any text; messages of one
 * role that follow each other become one; an answer at the end, or before another answer, is followed by a request to
 * go on; ids the API would refuse are rewritten in call and result alike; arguments that are no JSON object go out as
 * `{}`; unsigned or foreign thinking, foreign blocks that only their provider understands, and empty texts are left
 * out; system messages join `system`, because not every model takes them among the others. `messages` is empty if
 * nothing was said. Throws a `TypeError` for a conversation in which a call has no result, or a result no call.
 *
 * @example
 * ```ts
 * const model = { provider: 'anthropic', id: 'claude-opus-5-5' }
 * const fields = formatForAnthropic(messages, { model, system: 'Be brief.', tools: toolSpecs(tools) })
 * await client.messages.create({ model: model.id, max_tokens: 8192, ...fields })
 * ```
 */
export function formatForAnthropic(
  messages: readonly Message[],
  options: AnthropicFormatOptions = {},
): AnthropicFormat {
  const system = systemText(options.system ?? '', messages)
  return {
    ...(system !== '' && { system }),
    messages: toMessages(messages, options.model),
    ...toolFields(options.tools ?? [], messages),
  }
}

function toMessages(
  conversation: readonly Message[],
  model: ModelIdentity | undefined,
): AnthropicMessage[] {
  const messages: AnthropicMessage[] = []
  const ownBlocks = createOwnBlocks(conversation, model)
  let isPaused = false
  for (const turn of toTurns(conversation, { maxIdLength: 64 })) {
    if (turn.role === 'user') add(messages, 'user', partBlocks(turn.content))
    else {
      const blocks = answerBlocks(turn, ownBlocks)
      if (!isPaused) askAfterAnswer(messages)
      // The request to go on stays, so that a longer conversation starts like the shorter one before, and the cache is
      // used.
      if (blocks.length === 0) continue
      // A branch may start with an answer, a request may not.
      if (messages.length === 0) add(messages, 'user', [note('(The conversation goes on.)')])
      add(messages, 'assistant', blocks)
      add(messages, 'user', turn.calls.map(resultBlock))
      isPaused = ownBlocks.isPaused(turn.message)
    }
  }
  if (!isPaused) askAfterAnswer(messages)
  return messages
}

/** Newer models go on with an answer only if it paused, or if they are asked to. */
function askAfterAnswer(messages: AnthropicMessage[]): void {
  if (messages.at(-1)?.role === 'assistant') add(messages, 'user', [note('(Go on.)')])
}

function note(text: string): AnthropicText {
  return { type: 'text', text }
}

type AnsweredTurn = Extract<Turn, { readonly role: 'assistant' }>

/** Neighbours of one role become one message: the API joins them anyway, other servers refuse them. */
function add(
  messages: AnthropicMessage[],
  role: AnthropicMessage['role'],
  content: readonly AnthropicBlock[],
): void {
  if (content.length === 0) return
  const last = messages.at(-1)
  if (last?.role === role) last.content.push(...content)
  else messages.push({ role, content: [...content] })
}

function answerBlocks(
  { message, calls }: AnsweredTurn,
  { isAuthor, isPaused, maySend, mayThink }: OwnBlocks,
): readonly AnthropicBlock[] {
  const isOwn = isAuthor(message)
  const blocks: AnthropicBlock[] = []
  let called = 0
  for (const part of message.content) {
    if (part.type === 'text') blocks.push(...partBlocks([part]))
    else if (part.type === 'toolCall') {
      blocks.push(callBlock(part, calls[called]?.id ?? part.toolCallId))
      called += 1
    } else if (part.type === 'thinking') {
      if (isOwn && mayThink) blocks.push(...thinkingBlocks(part))
    } else if (isOwn && part.type === 'opaque' && maySend(part.data, message))
      blocks.push(part.data)
  }
  // The API refuses an answer that ends in thinking, as one that was cut off there does.
  const end = blocks.findLastIndex((block) => !isThinking(block))
  const last = blocks[end]
  // The API also refuses white space at the end of an answer that it is to go on with.
  if (last?.type === 'text' && isPaused(message)) last.text = last.text.trimEnd()
  return blocks.slice(0, end + 1)
}

function thinkingBlocks({ text, signature, redacted }: ThinkingContent): readonly AnthropicBlock[] {
  if (redacted) return [{ type: 'redacted_thinking', data: redacted }]
  // Signed thinking cannot be repaired, and half a surrogate pair would be refused.
  const isSendable = signature && wellFormed(text) === text
  return isSendable ? [{ type: 'thinking', thinking: text, signature }] : []
}

function isThinking({ type }: AnthropicBlock): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

function callBlock({ toolName, argsText }: ToolCallContent, id: string): AnthropicToolUse {
  return { type: 'tool_use', id, name: legalName(toolName), input: sendableArgs(argsText).args }
}

function resultBlock({ id, result: { content, isError } }: AnsweredCall): AnthropicToolResult {
  const block: AnthropicToolResult = { type: 'tool_result', tool_use_id: id }
  const parts = partBlocks(content)
  if (!isError) return parts.length === 0 ? block : { ...block, content: parts }
  // An error must have content, and text only.
  const texts = parts.filter((part) => part.type === 'text')
  const none: AnthropicText = { type: 'text', text: 'The tool gave no reason.' }
  return { ...block, content: texts.length === 0 ? [none] : texts, is_error: true }
}

function partBlocks(content: readonly Part[]): AnthropicPart[] {
  return readableParts(content).map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    if (part.type === 'document') return documentBlock(part)
    const { mediaType, data } = part
    return { type: 'image', source: { type: 'base64', media_type: mediaType, data } }
  })
}

function documentBlock({ type, mediaType, data, name }: DocumentContent): AnthropicDocument {
  const source =
    mediaType === 'text/plain'
      ? ({ type: 'text', media_type: mediaType, data } as const)
      : ({ type: 'base64', media_type: mediaType, data } as const)
  return { type, source, ...(name !== undefined && { title: name }) }
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
  const names = [...new Set(called.map((name) => legalName(name)))]
  return {
    tools: names.map((name) => ({ name, input_schema: { type: 'object' } })),
    tool_choice: { type: 'none' },
  }
}

function toolParam({ name, description, inputSchema }: ToolSpec): AnthropicTool {
  return {
    name,
    description: wellFormed(description),
    input_schema: { ...inputSchema, type: 'object' },
    // Without this a long argument arrives in one piece at its end.
    eager_input_streaming: true,
  }
}
