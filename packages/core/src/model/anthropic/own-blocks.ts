import type { JsonObject } from '../../internal/json.ts'
import type { AssistantMessage, Message, ModelIdentity } from '../../kernel/message.ts'
import { isSummary } from '../../kernel/transcript.ts'
import type { AnthropicOwnBlock } from './messages-api.ts'

/** Decides about the blocks that only the vendor understands. */
export interface OwnBlocks {
  /** Whether an answer was written by the model that gets the request. Another model gets only its texts and calls. */
  readonly isAuthor: (message: AssistantMessage) => boolean
  /** Whether the thinking of such answers may go back. */
  readonly mayThink: boolean
  /** Whether an answer paused in the vendor's own work, so that the vendor goes on with it by itself. */
  readonly isPaused: (message: AssistantMessage) => boolean
  /** Whether a block of such an answer may go back. */
  readonly maySend: (data: JsonObject, message: AssistantMessage) => data is OwnBlock
}

type OwnBlock = JsonObject & AnthropicOwnBlock

/** Models that refuse to get thinking back in a conversation whose start has changed since. */
const bindsThinking = /^claude-[a-z]+-5-[1-9]/

/**
 * Decides from all answers of the model. A call that the vendor runs is sent back only with its result, and a result
 * only with its call: the API refuses one without the other. Only where an answer paused or waits for tools may the
 * result come in a later one, or be still to come.
 */
export function createOwnBlocks(
  messages: readonly Message[],
  model: ModelIdentity | undefined,
): OwnBlocks {
  const isAuthor = (message: AssistantMessage) =>
    message.model.provider === model?.provider && message.model.id === model.id
  const own = messages.filter(
    (message): message is AssistantMessage => message.role === 'assistant' && isAuthor(message),
  )
  const begun = idsIn(own.filter(isUnfinished), 'id')
  const ended = idsIn(own, 'tool_use_id')
  const last = messages.findLast(({ role }) => role === 'assistant' || role === 'user')
  return {
    isAuthor,
    // A summary in place of messages changes the start of the conversation, to which thinking is bound.
    mayThink: !(bindsThinking.test(model?.id ?? '') && messages.some(isSummary)),
    isPaused: (message) =>
      message.stopReason === 'pause_turn' &&
      isAuthor(message) &&
      message.content.some(({ type }) => type === 'opaque'),
    maySend: (data, message): data is OwnBlock => {
      const { id, tool_use_id: callId } = data
      if (isCall(data)) {
        if (idsIn([message], 'tool_use_id').has(id)) return true
        return isUnfinished(message) && (message === last || ended.has(id))
      }
      return callId === undefined || begun.has(callId) || idsIn([message], 'id').has(callId)
    },
  }
}

function idsIn(
  messages: readonly AssistantMessage[],
  key: 'id' | 'tool_use_id',
): ReadonlySet<unknown> {
  const parts = messages.flatMap(({ content }) => content)
  return new Set(parts.map((part) => (part.type === 'opaque' ? part.data[key] : undefined)))
}

function isCall({ type, id }: JsonObject): boolean {
  return typeof type === 'string' && type.endsWith('_tool_use') && id !== undefined
}

function isUnfinished({ stopReason }: AssistantMessage): boolean {
  return stopReason === 'pause_turn' || stopReason === 'tool_use'
}
