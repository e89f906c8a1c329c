import type { AssistantContent } from '@offthread/core'

/** A piece of an answer: text, thinking, or the calls that were made together. */
export type Segment = { readonly at: number } & (
  | ({ readonly kind: 'text' } & ReturnType<typeof readText>)
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'calls'; readonly ids: string[] }
  /** Content that only the provider understands. */
  | { readonly kind: 'opaque' }
)

/** Splits an answer into pieces. Adjacent calls form one piece. */
export function toSegments(content: readonly AssistantContent[]): readonly Segment[] {
  const segments: Segment[] = []
  content.forEach((part, at) => {
    const last = segments.at(-1)
    if (part.type === 'text') {
      if (part.text.trim() !== '') segments.push({ kind: 'text', at, ...readText(part.text) })
    } else if (part.type === 'thinking') {
      segments.push({ kind: 'thinking', at, text: part.redacted ? '' : part.text })
    } else if (part.type === 'opaque') {
      segments.push({ kind: 'opaque', at })
    } else if (last?.kind === 'calls') {
      last.ids.push(part.toolCallId)
    } else {
      segments.push({ kind: 'calls', at, ids: [part.toolCallId] })
    }
  })
  return segments
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
