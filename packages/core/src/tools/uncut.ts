import type { Json } from '../internal/json.ts'
import type { DocumentContent, ImageContent, Part } from '../kernel/message.ts'
import type { NewArtifact } from './host.ts'

/** Content whose data is bytes as base64 text. */
export type BinaryPart =
  | ImageContent
  | (DocumentContent & { readonly mediaType: 'application/pdf' })

export function isBinary(part: Part): part is BinaryPart {
  return part.type === 'image' || (part.type === 'document' && part.mediaType !== 'text/plain')
}

/** A part of a result as it was before it was cut. What is no base64 was nothing. */
export function partUncut(part: Part): readonly NewArtifact[] {
  if (!isBinary(part)) {
    const text = part.type === 'text' ? part.text : part.data
    return [{ ...nameOf(part), data: new Blob([text]), isUncut: true }]
  }
  try {
    const bytes = Uint8Array.from(atob(part.data), (digit) => digit.charCodeAt(0))
    return [{ ...nameOf(part), data: new Blob([bytes]), isUncut: true }]
  } catch {
    return []
  }
}

/** Data of a result that was left out. */
export function dataUncut({ name, value }: { name: string; value: Json }): NewArtifact {
  const data = new Blob([JSON.stringify(value)])
  return { name: `${name}.json`, mediaType: 'application/json', data, isUncut: true }
}

function nameOf(part: Part): Pick<NewArtifact, 'name' | 'mediaType'> {
  if (part.type === 'text') return { name: 'content.txt', mediaType: 'text/plain' }
  const { mediaType } = part
  const own = part.type === 'document' ? part.name : undefined
  return { name: own ?? `${part.type}.${mediaType.replace(/^.*\//, '')}`, mediaType }
}
