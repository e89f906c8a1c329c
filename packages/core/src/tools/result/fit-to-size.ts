import { fromBase64 } from '../../internal/base64.ts'
import { isJsonObject, type Json, type JsonObject } from '../../internal/json.ts'
import { type Part, textOf } from '../../kernel/message.ts'
import { maxItems } from '../content.ts'
import type { NewArtifact, ReturnedResult } from '../host.ts'
import {
  type BinaryPart,
  isBinary,
  maxBase64Chars,
  maxBinaryChars,
  maxResultBytes,
} from '../result-limits.ts'
import { bytesOf } from './artifact-bytes.ts'
import { byteLength, cutMiddle, formatBytes } from './cut-bytes.ts'

/** The most files that hold what was cut from one result. */
const maxFiles = 20

/**
 * Cuts or leaves out what is too big in a result, and says in its text what is missing. The full parts go along as
 * artifacts, which are kept if there is room for them.
 */
export function fitToSize(result: ReturnedResult): ReturnedResult {
  const { artifacts = [], ...rest } = result
  const { fitted, fullResult } = cutToFit(rest)
  const all = [...artifacts, ...fullResult()].slice(0, maxItems)
  return { ...fitted, ...(all.length > 0 && { artifacts: all }) }
}

/** Fits a preliminary result as `fitToSize` does. What is cut from it is gone. */
export function fitPartial(partial: Omit<ReturnedResult, 'artifacts'>): ReturnedResult {
  return cutToFit(partial).fitted
}

/** `fullResult` makes files of all that was cut. */
function cutToFit(result: ReturnedResult) {
  const { content, details, structuredContent, ...rest } = result
  const tooBig = Object.entries({ details, structuredContent }).flatMap(([name, value]) => {
    const excess = excessOf(value)
    return excess ? [{ name, ...excess }] : []
  })
  const fits = (name: string): boolean => tooBig.every((one) => one.name !== name)
  const dropped = tooBig.map(
    ({ name, bytes }) =>
      `${name} was ${formatBytes(bytes)}, more than ${formatBytes(maxResultBytes)}`,
  )
  const kept = fits('details') ? details : undefined
  const shown = dropped.length === 0 ? kept : { ...asFields(kept), dropped }
  const { parts, cutParts } = fitContent(content)
  return {
    fitted: {
      ...rest,
      content: parts,
      ...(shown !== undefined && { details: shown }),
      ...(structuredContent !== undefined && fits('structuredContent') && { structuredContent }),
    },
    fullResult: () => filesOf(content, { parts: cutParts, fields: tooBig }),
  }
}

/** The JSON of a value that is too large, with its size; `null` when it fits. */
export function excessOf(
  value: Json | undefined,
): { readonly json: string; readonly bytes: number } | null {
  if (value === undefined) return null
  const json = JSON.stringify(value)
  // A character has at most three bytes for each of its units: short texts need no counting.
  if (json.length * 3 <= maxResultBytes) return null
  const bytes = byteLength(json)
  return bytes > maxResultBytes ? { json, bytes } : null
}

function asFields(details: Json | undefined): JsonObject {
  if (details === undefined) return {}
  return isJsonObject(details) ? details : { details }
}

/** `cutParts`: the original parts that were cut or left out. */
function fitContent(content: readonly Part[]): {
  readonly parts: readonly Part[]
  readonly cutParts: readonly Part[]
} {
  // Some room is kept for the note at the end.
  let room = maxResultBytes - 100
  let binaryRoom = maxBinaryChars
  let missingBytes = 0
  const cutParts: Part[] = []
  const parts = content.flatMap((part): readonly Part[] => {
    if (isBinary(part)) {
      if (part.data.length <= Math.min(maxBase64Chars, binaryRoom)) {
        binaryRoom -= part.data.length
        return [part]
      }
      cutParts.push(part)
      return [{ type: 'text', text: noteOn(part) }]
    }
    const whole = part.type === 'text' ? part.text : part.data
    const bytes = byteLength(whole)
    const text = bytes <= room ? whole : cutMiddle(whole, room, bytes)
    const kept = text === whole ? bytes : byteLength(text)
    room -= kept
    if (text !== whole) {
      missingBytes += bytes - kept
      cutParts.push(part)
    }
    if (text === '') return []
    return [part.type === 'text' ? { type: 'text', text } : { ...part, data: text }]
  })
  if (missingBytes === 0) return { parts, cutParts }
  // The note is a part, too.
  cutParts.push(...parts.splice(maxItems - 1))
  // The note stands at the end, where a model that reads only head and tail of the text still finds it.
  const note = `\n[${formatBytes(missingBytes)} of the result were cut out of it.]`
  return { parts: [...parts, { type: 'text', text: note }], cutParts }
}

function noteOn({ type, data }: BinaryPart): string {
  const what = type === 'image' ? 'An image' : 'A document'
  return `[${what} of ${formatBytes(data.length)} was left out: too big.]`
}

/** What was cut or left out of a result. */
interface Missing {
  /** The parts of the content that were cut or left out. */
  readonly parts: readonly Part[]
  /** The other fields that were left out, as JSON text. */
  readonly fields: readonly { readonly name: string; readonly json: string }[]
}

/** The files of a full result: all of its text in one, each other thing that was cut in one of its own. */
function filesOf(content: readonly Part[], missing: Missing): readonly NewArtifact[] {
  const text = missing.parts.some(({ type }) => type === 'text') ? textOf(content) : ''
  // Data that came without a text was shown to the model as its JSON, which is among the fields.
  const isInFields = text === '' || missing.fields.some(({ json }) => json === text)
  return [
    ...(isInFields ? [] : [textFile('content.txt', 'text/plain', text)]),
    ...missing.fields.map(({ name, json }) => textFile(`${name}.json`, 'application/json', json)),
    ...missing.parts.flatMap(fileOf),
  ].slice(0, maxFiles)
}

/** The file of one part. None for text, for which `filesOf` makes one file, nor for data that is no base64. */
function fileOf(part: Part): readonly NewArtifact[] {
  if (part.type === 'text') return []
  const { mediaType, data } = part
  const ownName = part.type === 'document' ? part.name : undefined
  const name = ownName ?? `${part.type}.${mediaType.replace(/^.*\//, '')}`
  if (!isBinary(part)) return [textFile(name, mediaType, data)]
  const bytes = fromBase64(data)
  return bytes ? [{ name, mediaType, data: bytes.buffer, isFullResult: true }] : []
}

function textFile(name: string, mediaType: string, text: string): NewArtifact {
  return { name, mediaType, data: bytesOf(text), isFullResult: true }
}
