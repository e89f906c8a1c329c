import { defined } from '../../internal/defined.ts'
import type { AgentEvent, AssistantMessageEvent, EventOf } from '../../kernel/events.ts'
import { growContent } from '../../kernel/fold-delta.ts'
import type { AssistantContent } from '../../kernel/message.ts'
import { openAnswerIn, type State } from '../../kernel/state.ts'
import { agentIn } from './agent-in.ts'

/** An answer that is being written, as its last event and what all of them say together. */
export interface StreamedAnswer {
  readonly event: EventOf<'message_update'>
  readonly content: readonly AssistantContent[]
}

/** The answer with one more event. */
export function grownAnswer(
  before: StreamedAnswer | undefined,
  event: EventOf<'message_update'>,
): StreamedAnswer {
  const content = before?.event.messageId === event.messageId ? before.content : []
  return { event, content: growContent(content, event.assistantMessageEvent) }
}

/** The answer so far as few events: however many there were, at most three for each of its blocks. */
export function repeatedAnswer({ event, content }: StreamedAnswer): readonly AgentEvent[] {
  return content.flatMap((part, contentIndex) =>
    stepsOf(part, contentIndex).map((step) => ({ ...event, assistantMessageEvent: step })),
  )
}

function stepsOf(part: AssistantContent, contentIndex: number): readonly AssistantMessageEvent[] {
  switch (part.type) {
    case 'text':
      return [
        { type: 'text_start', contentIndex },
        { type: 'text_delta', contentIndex, delta: part.text },
      ]
    case 'thinking': {
      const { text: delta, redacted, signature } = part
      return [
        { type: 'thinking_start', contentIndex, ...defined({ redacted }) },
        { type: 'thinking_delta', contentIndex, delta },
        { type: 'thinking_end', contentIndex, ...defined({ signature }) },
      ]
    }
    case 'toolCall': {
      const { toolCallId, toolName, argsText: delta, providerId } = part
      return [
        { type: 'toolcall_start', contentIndex, toolCallId, toolName, ...defined({ providerId }) },
        { type: 'toolcall_delta', contentIndex, delta },
      ]
    }
    case 'opaque': {
      const { data } = part
      return [
        { type: 'opaque_start', contentIndex, data },
        { type: 'opaque_end', contentIndex, data },
      ]
    }
  }
}

/** An event of a repeated answer, with only what the answer here does not have yet. */
export function newIn(event: AgentEvent, state: State): AgentEvent {
  if (event.type !== 'message_update') return event
  const { assistantMessageEvent: step, agentId, messageId } = event
  if (!('delta' in step)) return event
  const agent = agentIn(state, agentId)
  const message = agent && openAnswerIn(agent)
  const part = message?.id === messageId ? message.content[step.contentIndex] : undefined
  const delta = step.delta.slice(part ? lengthOf(part) : 0)
  return { ...event, assistantMessageEvent: { ...step, delta } }
}

function lengthOf(part: AssistantContent): number {
  if (part.type === 'toolCall') return part.argsText.length
  return part.type === 'opaque' ? 0 : part.text.length
}
