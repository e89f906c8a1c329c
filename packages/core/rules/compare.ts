import type { AgentEvent } from '../src/kernel/events.ts'
import type { Message } from '../src/kernel/message.ts'

/**
 * I30 and I35: the first place where two logs that should be the same differ, byte for byte; `null` if there is
 * none.
 */
export function firstDifference(a: readonly AgentEvent[], b: readonly AgentEvent[]): string | null {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [one, other] = [JSON.stringify(a[index]), JSON.stringify(b[index])]
    if (one !== other) return `event ${index}: ${one} and ${other}`
  }
  return null
}

/** I32: a conversation without the ids, which every run makes new. */
export function toldIn(messages: readonly Message[]): readonly string[] {
  const calls: string[] = []
  const numbered = (id: string): number => {
    if (!calls.includes(id)) calls.push(id)
    return calls.indexOf(id)
  }
  return messages.map((message) =>
    JSON.stringify(message, (key, value: unknown) => {
      if (key === 'id' || key === 'parentId' || key === 'providerId' || key === 'usage')
        return undefined
      return key === 'toolCallId' ? numbered(String(value)) : value
    }),
  )
}

/**
 * I11 in the view with `endOrder: 'call'`: what is wrong with its ends. They come after all calls of their
 * batch are done, one after the other, in call order.
 */
export function brokenCallView(events: readonly AgentEvent[]): readonly string[] {
  const broken: string[] = []
  const order = new Map<string, { readonly batch: number; readonly index: number }>()
  const next = new Map<number, number>()
  const sizes = new Map<number, number>()
  let batch = 0
  for (const [at, event] of events.entries()) {
    // An end that a retry replaces comes right before the retry.
    if (isReplaced(event, events[at + 1])) continue
    if (event.type === 'tool_retry_requested') {
      const place = order.get(event.toolCallId)
      // A retry after the other calls have ended is a batch of its own.
      if (!place || (next.get(place.batch) ?? 0) === 0) continue
      batch += 1
      order.set(event.toolCallId, { batch, index: 0 })
      sizes.set(batch, 1)
      continue
    }
    if (event.type === 'message_end' && event.message.role === 'assistant' && !event.excluded) {
      batch += 1
      const calls = event.message.content.filter((part) => part.type === 'toolCall')
      for (const [index, call] of calls.entries()) order.set(call.toolCallId, { batch, index })
      sizes.set(batch, calls.length)
    }
    if (!('toolCallId' in event) || event.toolCallId === undefined) continue
    const place = order.get(event.toolCallId)
    if (!place) continue
    const due = next.get(place.batch) ?? 0
    if (event.type !== 'tool_execution_end') {
      if (due > 0)
        broken.push(`I11: ${event.type} of ${event.toolCallId} after an end of its batch`)
      continue
    }
    if (place.index !== due) broken.push(`I11: the end of ${event.toolCallId} is not in call order`)
    next.set(place.batch, due + 1)
  }
  for (const [of, count] of next) {
    if (count !== sizes.get(of)) broken.push(`I11: ${count} ends of ${sizes.get(of)} calls`)
  }
  return broken
}

function isReplaced(end: AgentEvent, next: AgentEvent | undefined): boolean {
  return (
    end.type === 'tool_execution_end' &&
    next?.type === 'tool_retry_requested' &&
    next.toolCallId === end.toolCallId
  )
}
