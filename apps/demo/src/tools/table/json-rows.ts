import { ToolError } from '@offthread/core/worker'
import type { Batch } from './batch.ts'
import { textOf } from './batch.ts'
import { uniqueNames } from './column-names.ts'
import type { RowReader } from './delimited-rows.ts'
import { createJsonScanner } from './json-scanner.ts'
import type { JsonShape } from './json-shape.ts'

const mostColumns = 2000

/** Reads JSON objects as rows. A key that was not seen before is a new column. */
export function createJsonRows(shape: JsonShape): RowReader {
  const scanner = createJsonScanner(shape)
  const columnOf = new Map<string, number>()
  let count = 0
  return {
    push: (piece, last) => {
      const objects = scanner.push(piece).map((bytes) => {
        count++
        return parseRow(bytes, count)
      })
      if (last) scanner.end()
      for (const object of objects) {
        for (const key of Object.keys(object)) {
          if (!columnOf.has(key)) columnOf.set(key, columnOf.size)
        }
      }
      if (columnOf.size > mostColumns) {
        throw new ToolError('failed', `The rows have more than ${mostColumns} different keys.`)
      }
      return toBatch(objects, columnOf)
    },
    notes: () => [],
  }
}

type RowObject = Readonly<Record<string, unknown>>

function parseRow(bytes: Uint8Array, row: number): RowObject {
  try {
    const value: RowObject = parseObject(textOf(bytes, 0, bytes.length))
    return value
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ToolError('failed', `Row ${row} is not valid JSON: ${reason}`, { cause })
  }
}

function parseObject(text: string): RowObject {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function toBatch(objects: readonly RowObject[], columnOf: ReadonlyMap<string, number>): Batch {
  const width = columnOf.size
  const starts = new Int32Array(objects.length * width)
  const ends = new Int32Array(objects.length * width)
  const textual = new Uint8Array(objects.length * width)
  const writer = createTextWriter()
  objects.forEach((object, row) => {
    for (const [key, value] of Object.entries(object)) {
      const text = asText(value)
      if (text === '') continue
      const field = row * width + (columnOf.get(key) ?? 0)
      starts[field] = writer.size()
      ends[field] = writer.write(text)
      textual[field] = typeof value === 'number' ? 0 : 1
    }
  })
  const columns = uniqueNames([...columnOf.keys()])
  return { columns, bytes: writer.bytes(), rows: objects.length, starts, ends, textual }
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function createTextWriter() {
  const encoder = new TextEncoder()
  let bytes = new Uint8Array(262_144)
  let size = 0
  return {
    size: () => size,
    write: (text: string) => {
      const needed = size + text.length * 3
      if (needed > bytes.length) {
        const larger = new Uint8Array(Math.max(needed, bytes.length * 2))
        larger.set(bytes)
        bytes = larger
      }
      size += encoder.encodeInto(text, bytes.subarray(size)).written
      return size
    },
    bytes: () => bytes.subarray(0, size),
  }
}
