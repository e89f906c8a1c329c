import type { DocumentContent, ImageContent, Part } from '../../kernel/message.ts'
import { textOf } from '../../kernel/message.ts'
import type { NewArtifact } from '../host.ts'

/** Content whose data is bytes as base64 text. */
export type BinaryPart =
  | ImageContent
  | (DocumentContent & { readonly mediaType: 'application/pdf' })

export function isBinary(part: Part): part is BinaryPart {
  return part.type === 'image' || (part.type === 'document' && part.mediaType !== 'text/plain')
}

/** What was left out or cut of a result. */
export interface Lost {
  /** Parts of its content. */
  readonly parts: readonly Part[]
  /** Other fields, as JSON text. */
  readonly fields: readonly { readonly name: string; readonly json: string }[]
}

/** More than so many files are no help to anybody. */
const maxFiles = 20

/** A result as it was before something of it was lost: all of its text in one file, the others in files of their own. */
export function filesOfUncut(content: readonly Part[], lost: Lost): readonly NewArtifact[] {
  const text = lost.parts.some(({ type }) => type === 'text') ? textOf(content) : ''
  // Data without words of its own is told as its JSON.
  const isTold = text === '' || lost.fields.some(({ json }) => json === text)
  return [
    ...(isTold ? [] : [file('content.txt', 'text/plain', text)]),
    ...lost.fields.map(({ name, json }) => file(`${name}.json`, 'application/json', json)),
    ...lost.parts.flatMap(fileOf),
  ].slice(0, maxFiles)
}

/** What is no base64 was nothing. */
function fileOf(part: Part): readonly NewArtifact[] {
  if (part.type === 'text') return []
  const { mediaType, data } = part
  const own = part.type === 'document' ? part.name : undefined
  const name = own ?? `${part.type}.${mediaType.replace(/^.*\//, '')}`
  if (!isBinary(part)) return [file(name, mediaType, data)]
  try {
    const bytes = Uint8Array.from(atob(data), (digit) => digit.charCodeAt(0))
    return [{ name, mediaType, data: bytes.buffer, isUncut: true }]
  } catch {
    return []
  }
}

function file(name: string, mediaType: string, text: string): NewArtifact {
  // Its buffer has exactly these bytes.
  return { name, mediaType, data: new TextEncoder().encode(text).buffer, isUncut: true }
}
