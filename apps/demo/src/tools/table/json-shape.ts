import { ToolError } from '@offthread/core/worker'
import { textOf } from './batch.ts'
import { createJsonScanner } from './json-scanner.ts'

/** Where the rows are: `[row, …]`, `{ key: [row, …] }` or one row after the other. */
export type JsonShape = 'array' | 'wrapper' | 'lines'

const openBracket = 0x5b
const openBrace = 0x7b
const closeBracket = 0x5d
const closeBrace = 0x7d
const quote = 0x22
const minus = 0x2d

/** Whether this can be JSON. A header may begin with a bracket too: `[id],[name]`. */
export function looksLikeJson(bytes: Uint8Array): boolean {
  const first = nextByte(bytes, 0)
  const second = nextByte(bytes, first + 1)
  const after = bytes[second]
  if (bytes[first] === openBrace) {
    return after === quote || after === closeBrace || after === undefined
  }
  if (bytes[first] !== openBracket) return false
  return (
    after === undefined ||
    [openBrace, closeBracket, openBracket, quote, minus].includes(after) ||
    isDigit(after)
  )
}

/** Tells the shape by the first bytes. `whole`: there are no more. */
export function sniffJsonShape(bytes: Uint8Array, whole: boolean): JsonShape {
  const first = nextByte(bytes, 0)
  if (bytes[first] === openBracket) return 'array'
  const object = createJsonScanner('lines').push(bytes).at(0)
  if (!object) {
    if (whole) throw new ToolError('failed', 'The JSON ends in the middle of its first object.')
    return 'wrapper'
  }
  const follower = bytes[nextByte(bytes, first + object.length)]
  if (follower !== undefined || !whole) return 'lines'
  return arraysOfObjects(object) > 0 ? 'wrapper' : 'lines'
}

function arraysOfObjects(object: Uint8Array): number {
  const value = parse(textOf(object, 0, object.length))
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).filter(
    (field) => Array.isArray(field) && field.some((item) => typeof item === 'object' && item),
  ).length
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ToolError('failed', `The JSON cannot be read: ${reason}`, { cause })
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

/** Where the next byte is that is no blank. */
export function nextByte(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at++
  return at
}
