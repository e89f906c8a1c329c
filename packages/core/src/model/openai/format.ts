import { type Message, type Part, textOf } from '../../kernel/message.ts'
import {
  isBlank,
  legalName,
  type ReadablePart,
  readableParts,
  sendableArgs,
  systemText,
  wellFormed,
} from '../format/sendable.ts'
import { type AnsweredCall, toTurns } from '../format/turns.ts'
import type { ToolSpec } from '../port.ts'
import type {
  OpenAIMessage,
  OpenAITool,
  OpenAIToolCall,
  OpenAIToolMessage,
  OpenAIUserPart,
} from './chat-api.ts'

/** What a request is made of besides the messages. */
export interface OpenAIFormatOptions {
  readonly system?: string
  readonly tools?: readonly ToolSpec[]
}

/** The fields of a Chat Completions request that come from a conversation. */
export interface OpenAIFormat {
  readonly messages: OpenAIMessage[]
  readonly tools?: OpenAITool[]
}

/**
 * Turns a conversation into the fields of a Chat Completions request, as OpenAI and the many servers made
 * after it accept them.
 *
 * Each result is one `tool` message, in call order right after the answer; the text of a failed one starts
 * with `Error: `, because there is no flag for it. A tool message holds text only, so images and PDFs of
 * results follow in a user message. What users say in several messages becomes one; an answer at the
 * end, or before another answer, is followed by a request to go on; ids that are too long, illegal or repeated are
 * rewritten in call and result alike; arguments that are no JSON object go out as `"{}"`; thinking and empty texts are
 * left out; all system texts become the first message. `messages` is empty if nothing was said. Throws a `TypeError`
 * for a conversation in which a call has no result, or a result no call.
 *
 * @example
 * ```ts
 * const fields = formatForOpenAI(messages, { system: 'Be brief.', tools: toolSpecs(tools) })
 * await client.chat.completions.create({ model: 'gpt-5.5', ...fields })
 * ```
 */
export function formatForOpenAI(
  messages: readonly Message[],
  options: OpenAIFormatOptions = {},
): OpenAIFormat {
  const system = systemText(options.system ?? '', messages)
  const said = toDrafts(messages).map(toMessage)
  const { tools = [] } = options
  return {
    // A request with system texts only has nothing to answer.
    messages:
      system === '' || said.length === 0 ? said : [{ role: 'system', content: system }, ...said],
    ...(tools.length > 0 && { tools: tools.map(toolParam) }),
  }
}

/** A message that may still grow. */
type Draft =
  | { readonly role: 'user'; readonly parts: ReadablePart[] }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly AnsweredCall[] }
  | OpenAIToolMessage

function toDrafts(messages: readonly Message[]): readonly Draft[] {
  const drafts: Draft[] = []
  for (const turn of toTurns(messages, { maxIdLength: 40 })) {
    if (turn.role === 'user') {
      addUser(drafts, partsOf(turn.content))
      continue
    }
    const { message, calls } = turn
    askAfterAnswer(drafts)
    const text = textOf(message.content)
    if (!isBlank(text) || calls.length > 0) drafts.push({ role: 'assistant', text, calls })
    drafts.push(...calls.map(toolMessage))
    addUser(drafts, calls.flatMap(filesOf))
  }
  askAfterAnswer(drafts)
  return drafts
}

/** Not every server goes on with an answer by itself, and a longer conversation starts like the one before. */
function askAfterAnswer(drafts: Draft[]): void {
  if (drafts.at(-1)?.role === 'assistant') addUser(drafts, [{ type: 'text', text: '(Go on.)' }])
}

/** Joins neighbouring messages of the user: the vendor accepts several in a row, the chat templates of many servers do not. */
function addUser(drafts: Draft[], parts: readonly ReadablePart[]): void {
  if (parts.length === 0) return
  const last = drafts.at(-1)
  if (last?.role === 'user') last.parts.push(...parts)
  else drafts.push({ role: 'user', parts: [...parts] })
}

function toMessage(draft: Draft): OpenAIMessage {
  if (draft.role === 'tool') return draft
  if (draft.role === 'user') return { role: 'user', content: userContent(draft.parts) }
  const { text, calls } = draft
  const content = !isBlank(text) ? wellFormed(text) : null
  const message = { role: 'assistant', content } as const
  return calls.length === 0 ? message : { ...message, tool_calls: calls.map(toolCall) }
}

// A plain text where it will do: many servers take no parts.
function userContent(parts: readonly ReadablePart[]): string | OpenAIUserPart[] {
  if (parts.every((part) => part.type === 'text'))
    return parts.map((part) => part.text).join('\n\n')
  return parts.map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    const url = `data:${part.mediaType};base64,${part.data}`
    return part.type === 'image'
      ? { type: 'image_url', image_url: { url } }
      : { type: 'file', file: { filename: part.name ?? 'document.pdf', file_data: url } }
  })
}

/** This API has no text documents: such a document becomes a text with a heading. */
function partsOf(content: readonly Part[]): readonly ReadablePart[] {
  return readableParts(content).map((part) =>
    part.type === 'document' && part.mediaType === 'text/plain'
      ? { type: 'text', text: `${part.name ?? 'A document'}:\n\n${part.data}` }
      : part,
  )
}

function toolCall({ id, call: { toolName, argsText } }: AnsweredCall): OpenAIToolCall {
  const { args, isAsWritten } = sendableArgs(argsText)
  // As the model wrote them, unless the API would refuse them.
  const written = isAsWritten ? argsText : JSON.stringify(args)
  return { id, type: 'function', function: { name: legalName(toolName), arguments: written } }
}

function toolMessage({ id, result: { content, isError } }: AnsweredCall): OpenAIToolMessage {
  const parts = partsOf(content)
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length < parts.length) {
    texts.push('[Its files follow in the next user message.]')
  }
  if (isError && texts.length === 0) texts.push('The tool gave no reason.')
  const text = texts.join('\n')
  return { role: 'tool', tool_call_id: id, content: isError ? `Error: ${text}` : text }
}

function filesOf({ call, result }: AnsweredCall): readonly ReadablePart[] {
  const files = partsOf(result.content).filter((part) => part.type !== 'text')
  if (files.length === 0) return []
  const text = `The files in the result of ${legalName(call.toolName)}:`
  return [{ type: 'text', text }, ...files]
}

function toolParam({ name, description, inputSchema }: ToolSpec): OpenAITool {
  const parameters = { ...inputSchema, type: 'object' } as const
  return {
    type: 'function',
    function: { name, description: wellFormed(description), parameters },
  }
}
