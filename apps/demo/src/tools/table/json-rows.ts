import { ToolError } from '@offthread/core/worker'
import { JSONParser, type ParsedElementInfo } from '@streamparser/json'
import { textOfError } from '../../text/error-text.ts'
import { type Cell, typeOfValue } from './cell-type.ts'
import { uniqueNames } from './names.ts'
import type { RowReader } from './row-reader.ts'

/** The position of the rows: `[row, …]`, `{ key: [row, …] }`, or one row after the other. */
export type JsonShape = 'array' | 'wrapper' | 'lines'

type RowObject = Readonly<Record<string, unknown>>

const paths = { array: '$.*', wrapper: '$.*.*', lines: '$' }
const mostColumns = 2000
const largestRow = 16 * 1_048_576

/** Reads JSON objects as rows. Each new key becomes a column. */
export function createJsonRows(shape: JsonShape): RowReader {
  const parser = parserFor(shape)
  const columnOf = new Map<string, number>()
  const isRow = createRowCheck(shape)
  let found: RowObject[] = []
  let count = 0
  let sinceRow = 0
  parser.onValue = (element) => {
    if (!isRow(element, count + 1)) return
    found.push(asObject(element.value))
    count++
    sinceRow = 0
  }
  return {
    columns: () => uniqueNames([...columnOf.keys()]),
    typeOf: typeOfValue,
    push: (piece, last) => {
      found = []
      sinceRow += piece.length
      try {
        parser.write(piece)
      } catch (cause) {
        throw unreadable(`Row ${count + 1} is not valid JSON`, cause)
      }
      try {
        if (last && !parser.isEnded) parser.end()
      } catch (cause) {
        throw unreadable(`The JSON ends too early, after ${count} whole rows`, cause)
      }
      if (sinceRow > largestRow) {
        throw new ToolError('failed', `Row ${count + 1} of the JSON is larger than 16 MB.`)
      }
      return found.map((object) => toRow(object, columnOf))
    },
    notes: () => [],
  }
}

/** Detects the shape of JSON from its first 256 KB. `whole`: the text is the whole file. */
export function sniffJsonShape(text: string, whole: boolean): JsonShape {
  if (text.trimStart().startsWith('[')) return 'array'
  const values: unknown[] = []
  const parser = parserFor('lines')
  parser.onValue = ({ value }) => values.push(value)
  try {
    parser.write(text)
    if (whole) parser.end()
  } catch (cause) {
    // The reader reports a later error with the number of its row.
    if (values.length === 0) throw unreadable('The JSON cannot be read', cause)
  }
  if (values.length === 0) return 'wrapper'
  return whole && values.length === 1 && isWrapper(values[0]) ? 'wrapper' : 'lines'
}

function isWrapper(value: unknown): boolean {
  return Object.values(asObject(value)).some(
    (field) => Array.isArray(field) && field.some(isObject),
  )
}

function parserFor(shape: JsonShape): JSONParser {
  return new JSONParser({
    paths: [paths[shape]],
    // Values may follow each other directly or after blanks.
    ...(shape === 'lines' && { separator: '' }),
    keepStack: false,
    stringBufferSize: 4096,
  })
}

/** The parser's error as a sentence. */
function unreadable(problem: string, cause: unknown): ToolError {
  if (cause instanceof ToolError) return cause
  const message = textOfError(cause)
  // The parser's messages name its tokens and states. People can search for the text it stopped at.
  const [, token, character] = /^Unexpected (?:[A-Z_]+ \((.+)\)|(".+?")) /s.exec(message) ?? []
  const seen = token ?? character
  const reason = seen === undefined ? message : `${seen} is not expected there.`
  return new ToolError('failed', `${problem}: ${reason}`, { cause })
}

/** Creates a check whether a value is a row. It throws if another value is in the place of a row. */
function createRowCheck(shape: JsonShape) {
  let list: string | number | undefined
  return ({ value, parent, stack }: ParsedElementInfo, row: number): boolean => {
    if (shape !== 'wrapper') {
      if (!isObject(value)) throw misplaced(value, row)
      return true
    }
    // Other fields of the outer object are ignored.
    if (!isObject(value) || !Array.isArray(parent)) return false
    const key = stack[1]?.key
    if (list !== undefined && key !== list) {
      throw new ToolError(
        'failed',
        'The JSON object holds more than one array of objects. Keep the one that is the table.',
      )
    }
    list = key
    return true
  }
}

function misplaced(value: unknown, row: number): ToolError {
  const seen = JSON.stringify(JSON.stringify(value).slice(0, 20))
  const problem = 'The JSON is not a list of objects'
  return new ToolError('failed', `${problem}: ${seen} stands where row ${row} is expected.`)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asObject(value: unknown): RowObject {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function toRow(object: RowObject, columnOf: Map<string, number>): readonly Cell[] {
  const row = new Array<Cell>(columnOf.size).fill(null)
  for (const [key, value] of Object.entries(object)) {
    const column = columnOf.get(key) ?? columnOf.size
    if (column === mostColumns) {
      throw new ToolError('failed', `The rows have more than ${mostColumns} different keys.`)
    }
    columnOf.set(key, column)
    row[column] = cellOf(value)
  }
  return row
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
