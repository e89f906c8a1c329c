import type { AgentState } from '@offthread/core'
import { type Exchange, exchangesIn } from '../exchanges.ts'
import { answerParts } from './answer-parts.ts'
import { toUserParts } from './file-parts.ts'
import type { SdkMessage } from './sdk-types.ts'

/**
 * The conversation of an agent as messages of the AI SDK: for `useChat({ messages })` after a reload, or to store. A run is
 * one message of several steps, the answer that is being written is the last. A chat that has followed a run shows the same.
 *
 * @example
 * ```ts
 * await agent.ready
 * useChat({ transport, messages: toUIMessages(agent.getState()), resume: true })
 * ```
 */
export function toUIMessages({
  messages,
  toolCalls,
}: Pick<AgentState, 'messages' | 'toolCalls'>): SdkMessage[] {
  return exchangesIn(messages).flatMap((exchange) => [
    ...openingOf(exchange),
    ...answerOf(exchange, toolCalls),
  ])
}

function openingOf({ opening }: Exchange): SdkMessage[] {
  if (!opening) return []
  const { id, role, content } = opening
  return [{ id, role, parts: toUserParts(content) }]
}

function answerOf(exchange: Exchange, toolCalls: AgentState['toolCalls']): SdkMessage[] {
  const { answerId: id } = exchange
  const parts = answerParts(exchange, toolCalls).map(({ part }) => part)
  return id !== null && parts.length > 0 ? [{ id, role: 'assistant', parts }] : []
}
