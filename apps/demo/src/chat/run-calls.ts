import type { AgentState } from '@offthread/core'

/** The ids of the calls since the last question, in call order. */
export function callsOfRun({ messages }: AgentState): readonly string[] {
  const ids: string[] = []
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at]
    if (message?.role !== 'assistant') break
    const calls = message.content.flatMap((part) =>
      part.type === 'toolCall' ? [part.toolCallId] : [],
    )
    ids.unshift(...calls)
  }
  return ids
}
