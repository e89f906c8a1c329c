import { isObject } from '../internal/json.ts'
import type {
  AssistantContent,
  AssistantMessage,
  StopReason,
  ToolCallContent,
} from '../kernel/message.ts'

/**
 * An answer of a model with the calls it made: whole, or just its `content`. Without a `stopReason` it counts as
 * complete. With any other than `tool_use` its calls are answered and none of them runs.
 */
export type CallingMessage =
  | AssistantMessage
  | {
      readonly role?: 'assistant'
      readonly id?: string
      readonly content: readonly AssistantContent[]
      readonly stopReason?: StopReason
    }

/** The calls of an answer, in call order. Throws a `TypeError` for what is no answer, and for two calls of one id. */
export function readCalls(message: CallingMessage): readonly ToolCallContent[] {
  if (!isAnswer(message)) {
    throw new TypeError(
      'The message is no answer of a model. Pass an AssistantMessage, or { content } with its list of blocks.',
    )
  }
  const calls = message.content.filter((part) => part.type === 'toolCall').map(readCall)
  const ids = calls.map(({ toolCallId }) => toolCallId)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice === undefined) return calls
  throw new TypeError(
    `Two calls of the message have the id "${twice}". Give every call an id of its own.`,
  )
}

/** The call itself. Throws a `TypeError` for a value that is no call. */
export function readCall(call: ToolCallContent): ToolCallContent {
  if (isCall(call)) return call
  throw new TypeError(
    "A call must be { type: 'toolCall', toolCallId, toolName, argsText }: three strings, argsText being the raw JSON.",
  )
}

function isAnswer(message: unknown): message is CallingMessage {
  if (!isObject(message)) return false
  const { role = 'assistant', content } = message
  return role === 'assistant' && isBlocks(content)
}

/** Throws a `TypeError` for a message of a conversation whose content no format could read. */
export function checkMessages(messages: readonly unknown[]): void {
  const wrong = messages.findIndex((one) => !isObject(one) || !isBlocks(one['content']))
  if (wrong < 0) return
  throw new TypeError(
    `The content of messages[${wrong}] must be a list of blocks, such as [{ type: 'text', text: 'Hello.' }].`,
  )
}

function isBlocks(content: unknown): boolean {
  return Array.isArray(content) && content.every(isObject)
}

function isCall(call: unknown): call is ToolCallContent {
  if (!isObject(call)) return false
  const { type, toolCallId, toolName, argsText } = call
  const isComplete = [toolCallId, toolName, argsText].every((text) => typeof text === 'string')
  return type === 'toolCall' && isComplete && toolCallId !== ''
}
