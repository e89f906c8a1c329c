import { isJsonObject, type JsonObject } from '../../internal/json.ts'
import { objectsIn, textIn } from '../http/fields.ts'
import { garbled } from '../port.ts'

/** A call of an answer, as far as it came. */
export interface Call {
  readonly index: unknown
  id: string
  name: string
  /** The text of the arguments. Only `growArgs` changes it, and the state of its scan: each piece is scanned once. */
  args: string
  /** The index of the call's block; `null` until the name is known to be complete. */
  contentIndex: number | null
  /** How many braces and brackets are open. */
  depth: number
  isQuoted: boolean
  isEscaped: boolean
  /** Whether the arguments end with an object that is closed. */
  isWhole: boolean
}

/** A call of which nothing is known yet. */
export function newCall(index: unknown): Call {
  return {
    index,
    id: '',
    name: '',
    args: '',
    contentIndex: null,
    depth: 0,
    isQuoted: false,
    isEscaped: false,
    isWhole: false,
  }
}

/** Adds a piece to the arguments of a call. */
export function growArgs(call: Call, piece: string): void {
  call.args += piece
  for (let at = 0; at < piece.length; at += 1) readOn(call, piece.charCodeAt(at))
}

const quote = 0x22
const backslash = 0x5c
const blank = 0x20
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

function readOn(call: Call, character: number): void {
  if (call.isEscaped) call.isEscaped = false
  else if (character === quote) call.isQuoted = !call.isQuoted
  else if (call.isQuoted) call.isEscaped = character === backslash
  else if (character === openBrace || character === openBracket) call.depth += 1
  else if (character === closeBrace || character === closeBracket) call.depth -= 1
  else if (character <= blank) return
  call.isWhole = character === closeBrace && call.depth === 0 && !call.isQuoted
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
  const entries = objectsIn(delta, 'tool_calls')
  return (isJsonObject(only) ? [...entries, { function: only }] : entries).map(readDelta)
}

function readDelta(entry: JsonObject): CallDelta {
  const { index, function: called } = entry
  const fields = isJsonObject(called) ? called : {}
  const args = fields['arguments'] ?? ''
  return {
    index: index ?? null,
    id: textIn(entry, 'id'),
    name: textIn(fields, 'name'),
    // What is neither text nor an object is what the model wrote, too: it reads that it fits no tool.
    args: typeof args === 'string' ? args : JSON.stringify(args),
  }
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
  // Some servers repeat the name with each delta, and some of them give each an id of its own.
  if (call.name === name && !call.isWhole) return true
  if (id !== '' && call.id !== '') return id === call.id
  if (call.args === '' || call.name === '') return true
  // Behind whole arguments of the same name others may begin, and then they are those of another call.
  return call.name === name && !args.trimStart().startsWith('{')
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
