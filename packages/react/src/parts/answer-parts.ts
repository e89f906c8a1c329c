import type {
  AssistantContent,
  ChatMessage,
  DocumentContent,
  ImageContent,
  Part,
  ToolCallContent,
} from '@offthread/core'

/** A piece of a message. `at` is its position in the content: a key that stays the same while the message grows. */
export type MessagePart = { readonly at: number } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'file'; readonly file: ImageContent | DocumentContent }
  /** The calls that were made together, in call order. */
  | { readonly kind: 'calls'; readonly toolCallIds: readonly string[] }
  /** Content that only its provider understands. */
  | { readonly kind: 'opaque' }
)

/** The pieces of a message, in order. Blank texts are left out, and adjacent calls are one piece. */
export function partsOf({ content }: Pick<ChatMessage, 'content'>): readonly MessagePart[] {
  const parts: MessagePart[] = []
  // The calls of the last piece, while it grows.
  let calls: string[] | null = null
  // The type is a union of two lists, which TypeScript cannot iterate as one.
  const all: readonly (Part | AssistantContent)[] = content
  for (const [at, each] of all.entries()) {
    if (each.type !== 'toolCall') {
      const piece = partOf(each, at)
      if (piece) calls = null
      parts.push(...(piece ? [piece] : []))
    } else if (calls) {
      calls.push(each.toolCallId)
    } else {
      calls = [each.toolCallId]
      parts.push({ at, kind: 'calls', toolCallIds: calls })
    }
  }
  return parts
}

function partOf(
  content: Exclude<Part | AssistantContent, ToolCallContent>,
  at: number,
): MessagePart | null {
  switch (content.type) {
    case 'text':
      return content.text.trim() === '' ? null : { at, kind: 'text', text: content.text }
    case 'thinking':
      return { at, kind: 'thinking', text: content.redacted ? '' : content.text }
    case 'image':
    case 'document':
      return { at, kind: 'file', file: content }
    case 'opaque':
      return { at, kind: 'opaque' }
  }
}
