import {
  type AgentEvent,
  type EventOf,
  type Json,
  type RunEndReason,
  textOf,
} from '@offthread/core'
import { createStartedAgain } from './started-again.ts'
import { createStreamedText } from './streamed-text.ts'

/** An event with the names of the "Tool Execution Loop Implementation". */
export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  /** The answer failed: this text, the last that was sent, is no part of it. Another attempt may follow. */
  | { readonly type: 'text_retracted'; readonly text: string }
  | {
      readonly type: 'tool_call_start'
      readonly index: number
      readonly id: string
      readonly name: string
    }
  | { readonly type: 'tool_call_delta'; readonly index: number; readonly delta: string }
  /** A block is whole: the deltas of a call can be read as JSON now. */
  | { readonly type: 'content_block_stop'; readonly index: number }
  | {
      readonly type: 'tool_result'
      readonly tool_call_id: string
      readonly success: boolean
      readonly content: Json
      readonly error?: string
    }
  /** The call runs once more: its result, which was sent before, does not count. A new result follows. */
  | { readonly type: 'tool_result_retracted'; readonly tool_call_id: string }
  | {
      readonly type: 'done'
      readonly max_turns_reached: boolean
      readonly reason: RunEndReason
    }
  | { readonly type: 'error'; readonly error: string }

/**
 * Maps the events of one agent to those of a chat stream. A run ends with `done`, or with `error` if it
 * failed. `content` of a result is its structured content where the tool has some, else its text. When an
 * answer fails, `text_retracted` takes back its text, and a failed `tool_result` closes each call that it had
 * started, before the attempt that replaces it sends anything. When a call that has ended runs once more,
 * `tool_result_retracted` takes back its result. Thinking and events of sub-agents are left out.
 *
 * @example
 * ```ts
 * const toChat = createChatEvents()
 * agent.subscribe((event) => toChat(event).map(toServerSentEvent).forEach(send))
 * ```
 */
export function createChatEvents(): (event: AgentEvent) => readonly ChatEvent[] {
  const textChanges = createStreamedText()
  const blocks = createOpenBlocks()
  const startsAgain = createStartedAgain()
  return (event) => {
    if (event.agentId !== undefined) return []
    const isAgain = startsAgain(event)
    const texts = textChanges(event).map(
      ({ type, text }) => ({ type: type === 'added' ? 'text' : 'text_retracted', text }) as const,
    )
    switch (event.type) {
      case 'message_update':
        return [...texts, ...blocks.stepOf(event)]
      case 'message_end':
        return [...texts, ...blocks.endOf(event)]
      case 'tool_execution_start':
        return isAgain ? [{ type: 'tool_result_retracted', tool_call_id: event.toolCallId }] : []
      case 'tool_execution_end':
        return [resultOf(event)]
      case 'agent_end': {
        const { reason, error, maxTurnsReached } = event
        return reason === 'error'
          ? [{ type: 'error', error: error?.message ?? 'The run failed.' }]
          : [{ type: 'done', max_turns_reached: maxTurnsReached, reason }]
      }
      default:
        return []
    }
  }
}

/** The blocks of one answer that were started, so that each is stopped and no call is left open. */
function createOpenBlocks() {
  const started = new Set<number>()
  const calls = new Set<string>()

  function stepOf({
    assistantMessageEvent: step,
  }: EventOf<'message_update'>): readonly ChatEvent[] {
    const { contentIndex: index } = step
    switch (step.type) {
      case 'text_start':
        started.add(index)
        return []
      case 'toolcall_start':
        started.add(index)
        calls.add(step.toolCallId)
        return [{ type: 'tool_call_start', index, id: step.toolCallId, name: step.toolName }]
      case 'toolcall_delta':
        return [{ type: 'tool_call_delta', index, delta: step.delta }]
      case 'text_end':
      case 'toolcall_end':
        started.delete(index)
        return [{ type: 'content_block_stop', index }]
      default:
        return []
    }
  }

  function endOf({ message, excluded }: EventOf<'message_end'>): readonly ChatEvent[] {
    if (message.role !== 'assistant') return []
    for (const part of excluded ? [] : message.content) {
      if (part.type === 'toolCall') calls.delete(part.toolCallId)
    }
    const ends: readonly ChatEvent[] = [
      ...[...started].map((index) => ({ type: 'content_block_stop', index }) as const),
      ...[...calls].map(notRun),
    ]
    started.clear()
    calls.clear()
    return ends
  }

  return { stepOf, endOf }
}

function notRun(tool_call_id: string): ChatEvent {
  const error = 'Not run: the answer that made this call was not completed.'
  return { type: 'tool_result', tool_call_id, success: false, content: error, error }
}

function resultOf({ toolCallId, result, isError }: EventOf<'tool_execution_end'>): ChatEvent {
  const text = textOf(result.content)
  return {
    type: 'tool_result',
    tool_call_id: toolCallId,
    success: !isError,
    content: result.structuredContent ?? text,
    ...(isError && { error: text }),
  }
}
