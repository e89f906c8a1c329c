import type { Message } from '../src/kernel/message.ts'
import type { Book, Node } from './book.ts'
import { isSame } from './messages.ts'

/** I37: why a transcript is not the path from the first message to the head, or `null`. */
export function problemOfPath(messages: readonly Message[], book: Book): string | null {
  const { path, summary, circleAt } = readPath(book)
  if (circleAt !== null) return `the path to the head comes to ${circleAt} again and again`
  const expected = path.filter(saysSomething)
  const own = messages.filter(({ id }) => book.nodes.has(id))
  for (const [index, message] of own.entries()) {
    const node = expected[index]
    if (node?.message.id !== message.id)
      return `${message.id} stands where ${node?.message.id} belongs`
    if (!isSame(node.message, message)) return `${message.id} is not as it was written`
  }
  if (own.length < expected.length) return `${expected[own.length]?.message.id} is missing`
  return problemOfAdded(messages, book, summary)
}

interface Path {
  readonly path: readonly Node[]
  readonly summary: string | null
  /** A message at which the path comes back to itself, as it may where two messages have one id; `null`: it ends. */
  readonly circleAt: string | null
}

function readPath({ head, nodes, compactions }: Book): Path {
  const path: Node[] = []
  for (let id = head; id !== null; ) {
    const node = nodes.get(id)
    if (!node) break
    if (path.length === nodes.size) return { path, summary: null, circleAt: id }
    path.push(node)
    id = node.message.parentId
  }
  path.reverse()
  for (const { summary, firstKeptMessageId } of compactions.toReversed()) {
    const from = path.findIndex(({ message }) => message.id === firstKeptMessageId)
    if (from >= 0) return { path: path.slice(from), summary, circleAt: null }
  }
  return { path, summary: null, circleAt: null }
}

// Excluded messages are left out, and so are answers that hold nothing but thinking.
function saysSomething({ message, excluded }: Node): boolean {
  if (excluded) return false
  if (message.role !== 'assistant') return true
  return message.content.some(
    (part) =>
      part.type === 'toolCall' ||
      part.type === 'opaque' ||
      (part.type === 'text' && part.text.trim() !== ''),
  )
}

// Only two things may be added: the summary, in the first place, and results of calls that have none yet.
function problemOfAdded(
  messages: readonly Message[],
  { nodes, batch }: Book,
  summary: string | null,
): string | null {
  const added = messages.filter(({ id }) => !nodes.has(id))
  const others = added.filter((message) => message.role !== 'toolResult')
  if (summary === null && others.length > 0) return `${others[0]?.id} is in no path`
  if (summary !== null) {
    const [first] = messages
    const isThere =
      first !== undefined &&
      JSON.stringify(first.role === 'toolResult' ? '' : first.content).includes(
        JSON.stringify(summary).slice(1, -1),
      )
    if (!isThere || others.length > 1)
      return 'the summary does not stand in place of what it covers'
  }
  const stray = added.find(
    (message) =>
      message.role === 'toolResult' &&
      !batch?.calls.some(({ toolCallId }) => toolCallId === message.toolCallId) &&
      !isOpenOnPath(messages, message.toolCallId),
  )
  return stray ? `${stray.id} answers no open call` : null
}

// After a move of the head into the middle of a turn, results that lie on another branch may be missing.
function isOpenOnPath(messages: readonly Message[], toolCallId: string): boolean {
  return messages.some(
    (message) =>
      message.role === 'assistant' &&
      message.content.some((part) => part.type === 'toolCall' && part.toolCallId === toolCallId),
  )
}
