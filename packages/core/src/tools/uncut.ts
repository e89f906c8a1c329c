import type { DocumentContent, ImageContent, Part } from '../kernel/message.ts'
import type { Bytes } from './cut.ts'
import type { NewArtifact } from './host.ts'

/** Content whose data is bytes as base64 text. */
export type BinaryPart =
  | ImageContent
  | (DocumentContent & { readonly mediaType: 'application/pdf' })

export function isBinary(part: Part): part is BinaryPart {
  return part.type === 'image' || (part.type === 'document' && part.mediaType !== 'text/plain')
}

/** What did not fit into a result: bytes that stand in it as base64 text, or text with its bytes. */
export type LostPart =
  | { readonly part: BinaryPart }
  | { readonly part: Part; readonly bytes: Bytes }

/** A part of a result as it was before it was cut. What is no base64 was nothing. */
export function partUncut(lost: LostPart): readonly NewArtifact[] {
  const { part } = lost
  if ('bytes' in lost) return [{ ...nameOf(part), data: lost.bytes.buffer, isUncut: true }]
  try {
    const bytes = Uint8Array.from(atob(lost.part.data), (digit) => digit.charCodeAt(0))
    return [{ ...nameOf(part), data: bytes.buffer, isUncut: true }]
  } catch {
    return []
  }
}

/** Data of a result that was left out, as JSON text. */
export function jsonUncut({ name, bytes }: { name: string; bytes: Bytes }): NewArtifact {
  return {
    name: `${name}.json`,
    mediaType: 'application/json',
    data: bytes.buffer,
    isUncut: true,
  }
}

function nameOf(part: Part): Pick<NewArtifact, 'name' | 'mediaType'> {
  if (part.type === 'text') return { name: 'content.txt', mediaType: 'text/plain' }
  const { mediaType } = part
  const own = part.type === 'document' ? part.name : undefined
  return { name: own ?? `${part.type}.${mediaType.replace(/^.*\//, '')}`, mediaType }
}
