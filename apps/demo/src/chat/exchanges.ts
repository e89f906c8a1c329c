import { type ChatMessage, textOf } from '@offthread/core'

/**
 * Finds the start of the last `count` exchanges, and how many are hidden before it. An exchange is a question with everything
 * that answers it.
 */
export function lastExchanges(messages: readonly ChatMessage[], count: number) {
  let left = count
  let start = messages.length
  while (start > 0 && left > 0) {
    start -= 1
    if (messages[start]?.role === 'user') left -= 1
  }
  if (left > 0) return { start: 0, hidden: 0 }
  const before = messages.slice(0, start).filter(({ role }) => role === 'user').length
  return { start, hidden: before }
}

/**
 * How many exchanges there are from this message to the end, that of the message included; 0 if there is no such
 * message.
 */
export function exchangesFrom(messages: readonly ChatMessage[], messageId = ''): number {
  const at = messages.findIndex(({ id }) => id === messageId)
  if (at < 0) return 0
  const begun = messages[at]?.role === 'user' ? 0 : 1
  return begun + messages.slice(at).filter(({ role }) => role === 'user').length
}

/**
 * The answer that ends with the message at this place: the ids of its first message and of its last. `null` if the answer
 * goes on after it, or it is none.
 */
export function answerUpTo(messages: readonly ChatMessage[], at: number) {
  const last = messages[at]
  if (last?.role !== 'assistant' || messages[at + 1]?.role === 'assistant') return null
  const question = messages.findLastIndex(({ role }, index) => index < at && role !== 'assistant')
  const first = messages[question + 1]
  return first ? { firstId: first.id, lastId: last.id } : null
}

/** What an answer says, without its tools. */
export function textOfAnswer(
  messages: readonly ChatMessage[],
  { firstId, lastId }: { readonly firstId: string; readonly lastId: string },
): string {
  const start = messages.findIndex(({ id }) => id === firstId)
  const end = messages.findIndex(({ id }) => id === lastId)
  return messages
    .slice(start, end + 1)
    .map(({ content }) => textOf(content))
    .filter((text) => text.trim() !== '')
    .join('\n\n')
}
