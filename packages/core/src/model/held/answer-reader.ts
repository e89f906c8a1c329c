import { isJsonObject, isList, type Json, type JsonObject, tryJson } from '../../internal/json.ts'
import { isJson } from '../../internal/read-json.ts'
import { createKeptCount } from '../http/kept-count.ts'
import { garbled, type ModelChunk, truncated } from '../port.ts'

/** Reads an answer piece by piece: chunks as early as they can be known, `finish` excepted. */
export interface AnswerReader {
  /** The chunks that are known since this piece of the answer. */
  readonly push: (piece: string) => readonly ModelChunk[]
  /** The rest of the chunks, and how many calls there are. Throws a `ModelError` if the answer is not whole. */
  readonly end: () => { readonly chunks: readonly ModelChunk[]; readonly calls: number }
  /** The rest of the chunks of an answer that a limit has cut off. Its calls are lost. */
  readonly cut: () => readonly ModelChunk[]
}

/** A reader for answers that are only text. It cannot see whether an answer is complete. */
export function createTextReader(): AnswerReader {
  const text = createTextBlock()
  return {
    push: text.grow,
    end: () => ({ chunks: text.end(), calls: 0 }),
    cut: text.end,
  }
}

/** A reader for answers of the form `{ say, calls }`. `say` is read while it is being written. */
export function createHeldReader(): AnswerReader {
  const text = createTextBlock()
  const readSaid = createSaidReader()
  const pieces: string[] = []
  const shown: string[] = []
  const kept = createKeptCount()
  return {
    push: (piece) => {
      pieces.push(kept(piece))
      const said = readSaid(piece)
      shown.push(said)
      return text.grow(said)
    },
    end: () => {
      const { say, calls } = readWhole(pieces.join(''))
      const before = shown.join('')
      if (!say.startsWith(before)) throw notHeld()
      const rest = [...text.grow(say.slice(before.length)), ...text.end()]
      const first = say === '' ? 0 : 1
      const called = calls.flatMap((call, index) => callChunks(call, first + index))
      return { chunks: [...rest, ...called], calls: calls.length }
    },
    cut: text.end,
  }
}

interface TextBlock {
  readonly grow: (text: string) => readonly ModelChunk[]
  readonly end: () => readonly ModelChunk[]
}

const place = { contentIndex: 0 } as const

/** The text block of an answer, which is its first. No delta of it ends in half a character. */
function createTextBlock(): TextBlock {
  let hasBegun = false
  let half = ''
  function emit(delta: string): readonly ModelChunk[] {
    if (delta === '') return []
    const step = { type: 'text_delta', ...place, delta } as const
    if (hasBegun) return [step]
    hasBegun = true
    return [{ type: 'text_start', ...place }, step]
  }
  return {
    grow: (piece) => {
      const text = half + piece
      half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? ''
      return emit(text.slice(0, text.length - half.length))
    },
    end: () => {
      const rest = emit(half)
      return hasBegun ? [...rest, { type: 'text_end', ...place }] : []
    },
  }
}

/**
 * Returns, for each piece of the answer, the text by which `say` has grown; always empty if `say` is not the first
 * field.
 */
function createSaidReader(): (piece: string) => string {
  let stage: 'before' | 'inside' | 'over' = 'before'
  let unread = ''
  return (piece) => {
    if (stage === 'over') return ''
    unread += piece
    if (stage === 'before') {
      const [opening] = /^\s*\{\s*"say"\s*:\s*"/.exec(unread) ?? []
      if (opening === undefined) {
        if (unread.length > longestOpening) stage = 'over'
        return ''
      }
      stage = 'inside'
      unread = unread.slice(opening.length)
    }
    const [written = ''] = /^[^"\\]*(?:\\(?:u[\da-fA-F]{4}|[^u])[^"\\]*)*/.exec(unread) ?? []
    unread = unread.slice(written.length)
    if (unread.startsWith('"')) stage = 'over'
    return unescaped(written)
  }
}

/** If white space longer than this comes first, the answer is no longer read early. */
const longestOpening = 1000

function unescaped(written: string): string {
  const text = parse(`"${written}"`)
  if (typeof text !== 'string') throw notHeld()
  return text
}

interface Call {
  readonly tool: string
  readonly args: JsonObject
}

function readWhole(text: string): { readonly say: string; readonly calls: readonly Call[] } {
  if (isCutOff(text)) throw truncated()
  const answer = parse(text)
  const { say = '', calls = [] } = isJsonObject(answer) ? answer : { say: null }
  if (typeof say !== 'string' || !isList(calls)) throw notHeld()
  return { say, calls: calls.map(readCall) }
}

function readCall(call: Json): Call {
  const { tool, arguments: args } = isJsonObject(call) ? call : {}
  if (typeof tool === 'string' && args !== undefined && isJsonObject(args)) return { tool, args }
  throw notHeld()
}

function callChunks({ tool, args }: Call, contentIndex: number): readonly ModelChunk[] {
  return [
    { type: 'toolcall_start', contentIndex, toolName: tool },
    { type: 'toolcall_delta', contentIndex, delta: JSON.stringify(args) },
    { type: 'toolcall_end', contentIndex },
  ]
}

/** Whether a text leaves a string or a bracket open, so that it is only the beginning of an answer. */
function isCutOff(text: string): boolean {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) at += character === '\\' ? 1 : 0
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
  }
  return text.trim() === '' || isQuoted || depth > 0
}

function parse(text: string): Json {
  const value = tryJson(text)
  // Arguments that are nested too deeply could not be written as text.
  if (value === undefined || !isJson(value)) throw notHeld()
  return value
}

function notHeld(): Error {
  return garbled('it does not keep to the form it was asked for')
}
