import type { ChatMessage } from '@offthread/core'

/**
 * Finds the start of the last `turns` turns, and how many are hidden before it. A turn is a question with everything
 * that answers it.
 */
export function lastTurns(messages: readonly ChatMessage[], turns: number) {
  let left = turns
  let start = messages.length
  while (start > 0 && left > 0) {
    start -= 1
    if (messages[start]?.role === 'user') left -= 1
  }
  if (left > 0) return { start: 0, hidden: 0 }
  const before = messages.slice(0, start).filter(({ role }) => role === 'user').length
  return { start, hidden: before }
}
