import { type ChatMessage, textOf } from '@offthread/core'

/**
 * Finds the start of the last `count` exchanges, and how many are hidden before it. An exchange is a question with everything
 * that answers it.
 */
export function lastExchanges(messages: readonly ChatMessage[], count: number) {
  const questions = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : []))
  const hidden = Math.max(0, questions.length - count)
  return { start: hidden === 0 ? 0 : (questions[hidden] ?? 0), hidden }
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
