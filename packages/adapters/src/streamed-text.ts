import { type AgentEvent, textOf } from '@offthread/core'

/** What the events of an answer change in a text that a consumer has put together from deltas. */
export interface TextChange {
  /** `retracted`: this text, the last that was added, is no part of the conversation. */
  readonly type: 'added' | 'retracted'
  readonly text: string
}

/**
 * Compares the streamed text of each answer with what the conversation keeps of it. Of an answer that fails it keeps
 * nothing: the text is retracted before another attempt replaces it, or when the run ends.
 */
export function createStreamedText(): (event: AgentEvent) => readonly TextChange[] {
  let streamed = ''
  return (event) => {
    if (event.type === 'message_update') {
      const { assistantMessageEvent: step } = event
      if (step.type !== 'text_delta') return []
      streamed += step.delta
      return [{ type: 'added', text: step.delta }]
    }
    if (event.type !== 'message_end' || event.message.role !== 'assistant') return []
    const text = streamed
    const kept = event.excluded ? '' : textOf(event.message.content)
    streamed = ''
    if (text === kept) return []
    const changes: readonly TextChange[] = [
      { type: 'retracted', text },
      { type: 'added', text: kept },
    ]
    return changes.filter((change) => change.text !== '')
  }
}
