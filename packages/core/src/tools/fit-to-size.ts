import type { Json, JsonObject } from '../internal/json.ts'
import { isJsonObject } from '../internal/json.ts'
import type { DocumentContent, ImageContent, Part } from '../kernel/message.ts'
import { toParts } from './content.ts'
import { byteLength, cutMiddle, formatBytes, maxResultBytes } from './cut.ts'
import type { ReturnedResult } from './host.ts'

/** Of base64 text; providers refuse more of an image. */
const maxBase64Chars = 5_000_000

/** A result with everything that is too big cut or left out, and a word about what was left out. */
export function fitToSize(result: ReturnedResult): ReturnedResult {
  const { content, details, structuredContent, ...rest } = result
  const tooBig = { details: excess(details), structuredContent: excess(structuredContent) }
  const dropped = Object.entries(tooBig).flatMap(([name, bytes]) =>
    bytes === 0
      ? []
      : [`${name} was ${formatBytes(bytes)}, more than ${formatBytes(maxResultBytes)}`],
  )
  const kept = tooBig.details === 0 ? details : undefined
  const told = dropped.length === 0 ? kept : { ...asFields(kept), dropped }
  return {
    ...rest,
    content: fitContent(content),
    ...(told !== undefined && { details: told }),
    ...(structuredContent !== undefined && tooBig.structuredContent === 0 && { structuredContent }),
  }
}

/** The bytes of a value that has more than it may; 0 when it fits. */
export function excess(value: Json | undefined): number {
  if (value === undefined) return 0
  const bytes = byteLength(JSON.stringify(value))
  return bytes > maxResultBytes ? bytes : 0
}

function asFields(details: Json | undefined): JsonObject {
  if (details === undefined) return {}
  return isJsonObject(details) ? details : { details }
}

function fitContent(content: readonly Part[]): readonly Part[] {
  // Some room is kept for the last word.
  let room = maxResultBytes - 100
  let lostBytes = 0
  const parts = content.flatMap((part): readonly Part[] => {
    if (isBinary(part)) return [fitBinary(part)]
    const whole = part.type === 'text' ? part.text : part.data
    const text = cutMiddle(whole, room)
    if (text === '') lostBytes += byteLength(whole)
    room -= byteLength(text)
    if (text === '') return []
    return [part.type === 'text' ? { type: 'text', text } : { ...part, data: text }]
  })
  return lostBytes === 0 ? parts : [...parts, ...toParts(`… ${formatBytes(lostBytes)} cut …`)]
}

type Binary = ImageContent | (DocumentContent & { readonly mediaType: 'application/pdf' })

function isBinary(part: Part): part is Binary {
  return part.type === 'image' || (part.type === 'document' && part.mediaType !== 'text/plain')
}

function fitBinary(part: Binary): Part {
  const { length } = part.data
  if (length <= maxBase64Chars) return part
  const what = part.type === 'image' ? 'An image' : 'A document'
  return { type: 'text', text: `[${what} of ${formatBytes(length)} was left out: too big.]` }
}
