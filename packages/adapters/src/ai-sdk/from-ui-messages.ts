import type {
  AssistantContent,
  Message,
  TextContent,
  ToolResultMessage,
  UserMessage,
} from '@offthread/core'
import { contentOf } from './file-parts.ts'
import type { ReceivedMessage, ReceivedPart } from './sdk-types.ts'

/**
 * Messages of the AI SDK as a conversation: for `query` of `@offthread/core/loop`, or another model. Each step becomes
 * an answer, followed by the results of its calls. A call without a result gets one that says so. Sources, data parts
 * and what only its provider reads are left out. Throws a `TypeError` for a file that `query` cannot take.
 *
 * @example
 * ```ts
 * const { message } = await query({ model, messages: fromUIMessages(stored) })
 * ```
 */
export function fromUIMessages(messages: readonly ReceivedMessage[]): Message[] {
  const conversation: Message[] = []
  const add = (message: NewMessage): void => {
    const parentId = conversation.at(-1)?.id ?? null
    conversation.push({ ...message, parentId })
  }
  for (const { id, role, parts } of messages) {
    if (role === 'assistant') addAnswer(id, parts, add)
    else if (role === 'user') add({ id, role, content: contentOf(parts) })
    else add({ id, role, content: contentOf(parts).filter((part) => part.type === 'text') })
  }
  return conversation
}

type WithoutParent<M> = M extends Message ? Omit<M, 'parentId'> : never
type NewMessage = WithoutParent<Message>

// The model is not known. Nothing here is readable for one model only, so any name will do.
const model = { provider: 'unknown', id: 'unknown' }

function addAnswer(
  id: string,
  parts: readonly ReceivedPart[],
  add: (message: NewMessage) => void,
): void {
  let content: AssistantContent[] = []
  let results: Omit<ToolResultMessage, 'parentId'>[] = []
  let steps = 0
  const closeStep = (): void => {
    if (content.some(saysSomething)) {
      const stopReason = results.length > 0 ? 'tool_use' : 'stop'
      add({
        id: steps === 0 ? id : `${id}:${steps}`,
        role: 'assistant',
        content,
        model,
        stopReason,
      })
      for (const result of results) add(result)
      steps += 1
    }
    content = []
    results = []
  }
  for (const part of parts) {
    if (part.type === 'step-start') closeStep()
    else if (part.type === 'text') content.push(textOf(part.text ?? ''))
    else if (part.type === 'reasoning') content.push({ type: 'thinking', text: part.text ?? '' })
    else if (part.type === 'steering-message') {
      closeStep()
      add(steered(part))
    } else if (part.toolCallId !== undefined) {
      const call = callOf(part, part.toolCallId)
      content.push(call.content)
      results.push(call.result)
    }
  }
  closeStep()
}

// A model refuses to read an answer that has only thoughts.
function saysSomething(content: AssistantContent): boolean {
  return content.type === 'toolCall' || (content.type === 'text' && content.text.trim() !== '')
}

function steered({ id = '', parts = [] }: ReceivedPart): Omit<UserMessage, 'parentId'> {
  return { id, role: 'user', source: 'steering', content: contentOf(parts) }
}

function textOf(text: string): TextContent {
  return { type: 'text', text }
}

function callOf(part: ReceivedPart, toolCallId: string) {
  const { type, toolName = type.slice('tool-'.length), input } = part
  const argsText = typeof input === 'string' ? input : JSON.stringify(input ?? {})
  const result: Omit<ToolResultMessage, 'parentId'> = {
    id: `${toolCallId}:result`,
    role: 'toolResult',
    toolCallId,
    toolName,
    ...resultOf(part),
  }
  return { content: { type: 'toolCall', toolCallId, toolName, argsText } as const, result }
}

function resultOf({
  state,
  output,
  preliminary,
  errorText,
  approval,
}: ReceivedPart): Pick<ToolResultMessage, 'content' | 'isError'> {
  if (state === 'output-available' && !preliminary) {
    const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
    return { content: [textOf(text)], isError: false }
  }
  const denied = state === 'output-denied' ? (approval?.reason ?? notAllowed) : undefined
  return { content: [textOf(errorText ?? denied ?? notFinished)], isError: true }
}

const notAllowed = 'The user did not allow this call. It did not run.'
const notFinished = 'The call was not finished.'
