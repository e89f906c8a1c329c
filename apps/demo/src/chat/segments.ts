import type { AssistantContent } from '@offthread/core'

/** A piece of an answer as it is shown: text, thinking, or the calls that were made together. */
export type Segment =
  | { readonly kind: 'text'; readonly at: number; readonly text: string }
  | { readonly kind: 'thinking'; readonly at: number; readonly text: string }
  | { readonly kind: 'calls'; readonly at: number; readonly ids: readonly string[] }
  /** Something that only the provider understands. */
  | { readonly kind: 'opaque'; readonly at: number }

/** The pieces of an answer. Calls that follow each other belong together. */
export function toSegments(content: readonly AssistantContent[]): readonly Segment[] {
  const segments: Segment[] = []
  content.forEach((part, at) => {
    const last = segments.at(-1)
    if (part.type === 'text') {
      if (part.text.trim() !== '') segments.push({ kind: 'text', at, text: part.text })
    } else if (part.type === 'thinking') {
      segments.push({ kind: 'thinking', at, text: part.redacted ? '' : part.text })
    } else if (part.type === 'opaque') {
      segments.push({ kind: 'opaque', at })
    } else if (last?.kind === 'calls') {
      segments[segments.length - 1] = { ...last, ids: [...last.ids, part.toolCallId] }
    } else {
      segments.push({ kind: 'calls', at, ids: [part.toolCallId] })
    }
  })
  return segments
}
