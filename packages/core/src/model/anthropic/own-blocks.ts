import type { JsonObject } from '../../internal/json.ts'
import type { AssistantMessage, Message, ModelIdentity } from '../../kernel/message.ts'
import type { AnthropicOwnBlock } from './wire.ts'

/** Decides about the blocks that only the vendor understands. */
export interface OwnBlocks {
  /** Whether the model that is asked wrote an answer: another one is told nothing but texts and calls. */
  readonly isAuthor: (message: AssistantMessage) => boolean
  /** Whether a block of such an answer may go back. */
  readonly maySend: (data: JsonObject, message: AssistantMessage) => data is OwnBlock
}

type OwnBlock = JsonObject & AnthropicOwnBlock

/**
 * Looks at all that a model said itself. A call that the vendor runs is sent back with its result, which may
 * come in a later answer, and a result with its call: the API refuses one without the other. A call without
 * a result is sent only where the vendor still works on it: in the last answer, if it paused or waits for
 * tools.
 */
export function createOwnBlocks(
  messages: readonly Message[],
  model: ModelIdentity | undefined,
): OwnBlocks {
  const isAuthor = (message: AssistantMessage) =>
    message.model.provider === model?.provider && message.model.id === model.id
  const blocks = messages.flatMap((message) =>
    message.role === 'assistant' && isAuthor(message) ? blocksOf(message) : [],
  )
  const calls = new Set(blocks.filter(isCall).map(({ id }) => id))
  const results = new Set(blocks.map(({ tool_use_id: id }) => id))
  const last = messages.findLast(({ role }) => role === 'assistant' || role === 'user')
  return {
    isAuthor,
    maySend: (data, message): data is OwnBlock => {
      const { id, tool_use_id: callId } = data
      const isAwaited = message === last && isUnfinished(message)
      return isCall(data) ? results.has(id) || isAwaited : callId === undefined || calls.has(callId)
    },
  }
}

function blocksOf({ content }: AssistantMessage): readonly JsonObject[] {
  return content.flatMap((part) => (part.type === 'opaque' ? [part.data] : []))
}

function isCall({ type, id }: JsonObject): boolean {
  return typeof type === 'string' && type.endsWith('_tool_use') && id !== undefined
}

function isUnfinished({ stopReason }: AssistantMessage): boolean {
  return stopReason === 'pause_turn' || stopReason === 'tool_use'
}
