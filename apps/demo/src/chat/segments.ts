import type { AssistantContent } from '@offthread/core'
import { type MessagePart, partsOf } from '@offthread/react/message'

/** A piece of an answer. A text has the questions that it offers beside it. */
export type Segment =
  | Exclude<MessagePart, { readonly kind: 'text' }>
  | ({ readonly kind: 'text'; readonly at: number } & ReturnType<typeof readText>)

/** Splits an answer into pieces. Adjacent calls form one piece. */
export function toSegments(content: readonly AssistantContent[]): readonly Segment[] {
  return partsOf({ content }).map((part) =>
    part.kind === 'text' ? { kind: part.kind, at: part.at, ...readText(part.text) } : part,
  )
}

/** A block of code named `ask` holds questions, one a line. What is not complete yet is not shown. */
const offers = /^```(?:ask\n(?:(?:([\s\S]*?)\n)?```$|[\s\S]*)|(?:a|as|ask)(?![\s\S]))/gm

const mostQuestions = 12
const longestQuestion = 300

/** The text of an answer, and the questions in it, which are offered to be asked with a click. */
function readText(text: string) {
  const questions = new Set<string>()
  const rest = text.replaceAll(offers, (fence: string, inside: string | undefined) => {
    const lines = (inside ?? '').split('\n').filter((line) => line !== '')
    // More, or longer ones, are no buttons: they stay a block of code.
    if (lines.length + questions.size > mostQuestions) return fence
    if (lines.some(({ length }) => length > longestQuestion)) return fence
    for (const line of lines) questions.add(line)
    return ''
  })
  return { text: rest, questions: [...questions] }
}
