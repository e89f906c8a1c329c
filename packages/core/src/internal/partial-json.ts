import { hasTooManyValues, type Json, tryJson } from './json.ts'

/**
 * The value of JSON text that is still being written. A text in it may be unfinished; a name without its value, and a
 * number or word that may still grow, are left out. `undefined` before the first value, and for more than a page reads
 * at once. Never throws.
 */
export function partialJson(text: string): Json | undefined {
  if (hasTooManyValues(text)) return undefined
  return readValue({ text, at: 0, depth: 0, isOver: false })
}

interface Reader {
  readonly text: string
  at: number
  depth: number
  /** The rest is missing, or is no JSON. */
  isOver: boolean
}

const maxDepth = 500

function readValue(reader: Reader): Json | undefined {
  const first = next(reader)
  if (first === '"') return readString(reader)
  if (first !== '{' && first !== '[') return readWord(reader)
  if (reader.depth === maxDepth) return stop(reader)
  reader.at += 1
  reader.depth += 1
  const value = first === '{' ? readObject(reader) : readList(reader)
  reader.depth -= 1
  return value
}

function readObject(reader: Reader): Json {
  const fields: [string, Json][] = []
  while (!reader.isOver && !closes(reader, '}')) {
    const name = next(reader) === '"' ? readString(reader) : stop(reader)
    const value = takes(reader, ':') ? readValue(reader) : stop(reader)
    if (name !== undefined && value !== undefined) fields.push([name, value])
  }
  // Not by assignment, because a field may be called `__proto__`.
  return Object.fromEntries(fields)
}

function readList(reader: Reader): Json {
  const items: Json[] = []
  while (!reader.isOver && !closes(reader, ']')) {
    const item = readValue(reader)
    if (item !== undefined) items.push(item)
  }
  return items
}

/** Whether the object or list ends here. A comma before its next value is skipped. */
function closes(reader: Reader, bracket: string): boolean {
  if (takes(reader, bracket)) return true
  takes(reader, ',')
  if (next(reader) === '') stop(reader)
  return reader.isOver
}

// There are no alternatives inside the loop, because they would need memory for each character.
const string = /"[^"\\]*(?:\\.[^"\\]*)*/sy
const word = /[^\s,\]}"]+/y
const space = /\s*/y

function readString(reader: Reader): string | undefined {
  const found = match(reader, string)
  const isWhole = takes(reader, '"')
  if (!isWhole) stop(reader)
  // A character that is half there is left out.
  const written = isWhole ? found : found.replace(/\\u[\da-fA-F]{0,3}$/, '')
  const value = tryJson(`${written}"`)
  return typeof value === 'string' ? value : stop(reader)
}

function readWord(reader: Reader): Json | undefined {
  const found = match(reader, word)
  const value = reader.at < reader.text.length ? tryJson(found) : undefined
  return value === undefined ? stop(reader) : value
}

function match(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at
  const [found = ''] = pattern.exec(reader.text) ?? []
  reader.at += found.length
  return found
}

/** The next character that is no white space; empty at the end. */
function next(reader: Reader): string {
  match(reader, space)
  return reader.text.charAt(reader.at)
}

function takes(reader: Reader, character: string): boolean {
  const isNext = next(reader) === character
  if (isNext) reader.at += 1
  return isNext
}

function stop(reader: Reader): undefined {
  reader.isOver = true
}
