import { ToolError } from '@offthread/core/worker'
import { textOf } from './batch.ts'
import { nextByte } from './json-shape.ts'

/** Whether the name of a file promises JSON. */
export function isJsonName(name = ''): boolean {
  return /\.(?:json|jsonl|ndjson)\s*$/i.test(name)
}

export function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(textOf(bytes, 0, bytes.length))
    return true
  } catch {
    return false
  }
}

/** What is wrong with a file whose name promises JSON and whose first two signs are none. */
export function notJson(bytes: Uint8Array): ToolError {
  const first = nextByte(bytes, 0)
  const opening = textOf(bytes, first, first + 1)
  const opens = opening === '{' || opening === '['
  const at = opens ? nextByte(bytes, first + 1) : first
  const lines = textOf(bytes, 0, at).split('\n')
  const column = (lines.at(-1)?.length ?? 0) + 1
  // Four bytes hold at least the one character that is told.
  const [seen = ''] = textOf(bytes, at, at + 4)
  const expected = opening === '{' ? 'a quoted name' : 'an object'
  return new ToolError(
    'failed',
    `The file is named as JSON, but it is not JSON: ${JSON.stringify(seen)} stands in line ${lines.length}, column ${column}, where ${expected} is expected.`,
  )
}
