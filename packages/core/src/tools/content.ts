import { isObject } from '../internal/json.ts'
import type { Part } from '../kernel/message.ts'
import type { ToolProgress } from '../kernel/tool-outcome.ts'

/** Content as tools may write it: a string is one text. */
export type ContentInput = string | readonly Part[]

/** Reads one block. `mimeType` is what other tool formats call `mediaType`. */
function readPart(value: unknown): Part | undefined {
  if (!isObject(value)) return undefined
  const { type, text, data, name, mediaType = value['mimeType'] } = value
  if (type === 'text' && typeof text === 'string') return { type, text }
  if (type === 'image' && typeof data === 'string' && typeof mediaType === 'string') {
    return { type, mediaType, data }
  }
  if (type === 'document' && typeof data === 'string') {
    const known = documentTypes.find((one) => one === mediaType)
    if (!known || !(name === undefined || typeof name === 'string')) return undefined
    return { type, mediaType: known, data, ...(name !== undefined && { name }) }
  }
  return undefined
}

const documentTypes = ['application/pdf', 'text/plain'] as const

/** Reads a list of blocks; `undefined` when it is no list, or one of them is no block. */
export function readParts(value: unknown): readonly Part[] | undefined {
  if (!Array.isArray(value)) return undefined
  const items: readonly unknown[] = value
  const parts = items.flatMap((item) => readPart(item) ?? [])
  return parts.length === items.length ? parts : undefined
}

/** Reads content. Throws a `TypeError` that says what content is. */
export function toParts(content: unknown): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  const parts = readParts(content)
  if (parts) return parts
  throw new TypeError(
    'content must be a string or a list of { type: "text", text }, { type: "image", mediaType, data } and { type: "document", mediaType: "application/pdf" or "text/plain", data }.',
  )
}

/** Reads what is usable of a progress report: texts, and numbers that are numbers. */
export function toProgress(value: unknown): ToolProgress {
  if (typeof value === 'string') return { message: value }
  if (!isObject(value)) return {}
  const { message, status, value: done, total, unit } = value
  return {
    ...(typeof message === 'string' && { message }),
    ...(typeof status === 'string' && { status }),
    ...(isFiniteNumber(done) && { value: done }),
    ...(isFiniteNumber(total) && { total }),
    ...(typeof unit === 'string' && { unit }),
  }
}

export function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
