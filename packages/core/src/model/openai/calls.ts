import { isJsonObject, type Json, type JsonObject } from '../../internal/json.ts'
import { objectsIn, textIn } from '../http/fields.ts'
import { garbled } from '../port.ts'

/** A call of an answer, as far as it came. */
export interface Call {
  readonly index: unknown
  id: string
  name: string
  /** The text of the arguments. Only `growArgs` changes it. */
  args: string
  readonly reading: ArgsReading
  /** The index of the call's block; `null` until the name is known to be complete. */
  contentIndex: number | null
}

/** The state of a scan over the arguments: they may be long, so each piece is scanned once. */
interface ArgsReading {
  /** How many braces and brackets are open. */
  depth: number
  isQuoted: boolean
  isEscaped: boolean
  /** Whether the arguments end with an object that is closed. */
  isWhole: boolean
}

/** A call of which nothing is known yet. */
export function newCall(index: unknown): Call {
  const reading = { depth: 0, isQuoted: false, isEscaped: false, isWhole: false }
  return { index, id: '', name: '', args: '', reading, contentIndex: null }
}

/** Adds a piece to the arguments of a call. */
export function growArgs(call: Call, piece: string): void {
  call.args += piece
  for (let at = 0; at < piece.length; at += 1) readOn(call.reading, piece.charCodeAt(at))
}

const quote = 0x22
const backslash = 0x5c
const blank = 0x20
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

function readOn(reading: ArgsReading, character: number): void {
  if (reading.isEscaped) reading.isEscaped = false
  else if (character === quote) reading.isQuoted = !reading.isQuoted
  else if (reading.isQuoted) reading.isEscaped = character === backslash
  else if (character === openBrace || character === openBracket) reading.depth += 1
  else if (character === closeBrace || character === closeBracket) reading.depth -= 1
  else if (character <= blank) return
  reading.isWhole = character === closeBrace && reading.depth === 0 && !reading.isQuoted
}

/** The fields that a delta adds to a call. */
export interface CallDelta {
  readonly index: unknown
  readonly id: string
  readonly name: string
  readonly args: string
}

/** The calls in a delta, also that of servers which send only one. */
export function callDeltasIn(delta: JsonObject): readonly CallDelta[] {
  const { function_call: only } = delta
  const entries = objectsIn(delta, 'tool_calls').map(readDelta)
  return isJsonObject(only) ? [...entries, readDelta({ function: only })] : entries
}

function readDelta(entry: JsonObject): CallDelta {
  const { index, function: called } = entry
  const fields = isJsonObject(called) ? called : {}
  return {
    index: index ?? null,
    id: textIn(entry, 'id'),
    name: textIn(fields, 'name'),
    args: argsText(fields['arguments'] ?? ''),
  }
}

function argsText(args: Json): string {
  if (typeof args === 'string') return args
  if (typeof args !== 'object') throw garbled('the arguments are no text')
  return JSON.stringify(args)
}

/**
 * The call that a delta is for, or `undefined` if it starts one. Servers number their calls, or name them, or
 * do neither; some number all with 0, some give every delta an id of its own. `taken`: calls that earlier
 * deltas of the same list were for.
 */
export function callOf(
  calls: readonly Call[],
  delta: CallDelta,
  taken: ReadonlySet<Call>,
): Call | undefined {
  const sameIndex = calls.filter(({ index }) => delta.index === null || index === delta.index)
  const call =
    sameIndex.findLast(({ id }) => delta.id !== '' && id === delta.id) ?? sameIndex.at(-1)
  return call && goesOn(call, delta, taken) ? call : undefined
}

function goesOn(call: Call, { id, name, args }: CallDelta, taken: ReadonlySet<Call>): boolean {
  if (name === '') return true
  if (taken.has(call)) return false
  if (id !== '' && call.id !== '') return id === call.id
  if (call.args === '' || call.name === '') return true
  // With the name of the call before, a delta may still start another call: if its own arguments begin, and those
  // before are whole. Otherwise the server repeats the name with each delta.
  return call.name === name && !(args.trimStart().startsWith('{') && call.reading.isWhole)
}

/** Characters of a name: each piece of it is compared with the names of all tools. */
const longestName = 2000

/**
 * A name with another piece of it. Some servers split it, some repeat it, some send all of it so far: the right reading
 * is the one that gives the name of a tool.
 */
export function joinName(name: string, piece: string, toolNames: ReadonlySet<string>): string {
  if (piece === '' || piece === name) return name
  if (name.length + piece.length > longestName) throw garbled('a name is too long')
  const readings = [name + piece, piece, name]
  return readings.find((reading) => toolNames.has(reading)) ?? name + piece
}
