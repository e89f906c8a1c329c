import { ToolError } from '@offthread/core/worker'
import { concatBytes } from './batch.ts'
import type { JsonShape } from './json-shape.ts'

export interface JsonScanner {
  /** The bytes of the row objects that end in this piece. */
  readonly push: (piece: Uint8Array) => readonly Uint8Array[]
  /** Throws if the text ended too early. */
  readonly end: () => void
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const largestObject = 16 * 1_048_576

interface Scan {
  readonly shape: JsonShape
  /** How deep the row objects are. */
  readonly target: number
  depth: number
  inString: boolean
  escaped: boolean
  /** Where the row that is being read begins, or -1. */
  start: number
  rows: number
  /** Inside an array that stands directly in the outer object. */
  inArray: boolean
  /** This array has given rows; another one has. */
  arrayHasRows: boolean
  otherHasRows: boolean
}

/**
 * Finds the objects that are rows in JSON text that comes in pieces, so that never more than one of them is
 * parsed at a time. It only looks at nesting; whether an object is valid is for `JSON.parse` to say.
 */
export function createJsonScanner(shape: JsonShape): JsonScanner {
  const scan: Scan = {
    shape,
    target: { lines: 0, array: 1, wrapper: 2 }[shape],
    depth: 0,
    inString: false,
    escaped: false,
    start: -1,
    rows: 0,
    inArray: false,
    arrayHasRows: false,
    otherHasRows: false,
  }
  let carry = new Uint8Array(0)
  return {
    push: (piece) => {
      const from = carry.length
      const bytes = concatBytes(carry, piece)
      const found = scanBytes(scan, bytes, from)
      carry = scan.start < 0 ? new Uint8Array(0) : bytes.slice(scan.start)
      if (scan.start > 0) scan.start = 0
      if (carry.length > largestObject) {
        throw new ToolError('failed', `Row ${scan.rows + 1} of the JSON is larger than 16 MB.`)
      }
      return found
    },
    end: () => {
      if (scan.depth > 0 || scan.inString) {
        throw new ToolError('failed', `The JSON ends too early, after ${scan.rows} whole rows.`)
      }
    },
  }
}

function scanBytes(scan: Scan, bytes: Uint8Array, from: number): readonly Uint8Array[] {
  const found: Uint8Array[] = []
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (scan.inString) {
      if (scan.escaped) scan.escaped = false
      else if (byte === backslash) scan.escaped = true
      else if (byte === quote) scan.inString = false
    } else if (byte > 0x20) {
      if (scan.start < 0 && byte !== openBrace) rejectStray(scan, byte)
      if (byte === quote) scan.inString = true
      else if (byte === openBrace || byte === openBracket) open(scan, byte, at)
      else if (byte === closeBrace || byte === closeBracket) {
        if (--scan.depth < 0) throw misplaced(scan, byte)
        if (scan.depth === scan.target - 1) scan.inArray = false
        if (scan.depth === scan.target && scan.start >= 0) {
          found.push(bytes.subarray(scan.start, at + 1))
          scan.start = -1
          scan.rows++
        }
      }
    }
  }
  return found
}

function open(scan: Scan, byte: number, at: number): void {
  const { shape, target, depth } = scan
  if (byte === openBrace && depth === target && (shape !== 'wrapper' || scan.inArray)) {
    if (scan.otherHasRows) {
      throw new ToolError(
        'failed',
        'The JSON object holds more than one array of objects. Keep the one that is the table.',
      )
    }
    scan.arrayHasRows = true
    scan.start = at
  } else if (byte === openBracket && shape === 'wrapper' && depth === 1) {
    scan.inArray = true
    scan.otherHasRows = scan.otherHasRows || scan.arrayHasRows
    scan.arrayHasRows = false
  } else if (byte === openBrace && depth === 0 && shape === 'array') {
    throw misplaced(scan, byte)
  }
  scan.depth++
}

/** Between rows only commas and the brackets around them may stand. */
function rejectStray(scan: Scan, byte: number): void {
  const { shape, depth, target } = scan
  // What else the outer object holds, and its arrays of other things, is no row and no error.
  if (shape === 'wrapper' && (depth > 0 || byte === openBracket)) return
  if (depth > target) return
  if (shape === 'array' && depth === 0 && byte === openBracket && scan.rows === 0) return
  if (shape === 'array' && depth === 1 && (byte === comma || byte === closeBracket)) return
  throw misplaced(scan, byte)
}

function misplaced(scan: Scan, byte: number): ToolError {
  const seen = JSON.stringify(String.fromCharCode(byte))
  return new ToolError(
    'failed',
    `The JSON is not a list of objects: ${seen} stands where row ${scan.rows + 1} is expected.`,
  )
}
