import { isJsonObject, type Json, type JsonObject } from '../../internal/json.ts'
import { isBlank } from '../format/sendable.ts'
import { objectsIn, textIn } from '../http/fields.ts'
import { createKeptCount } from '../http/kept-count.ts'
import type { Asked } from '../http/stream-answer.ts'
import {
  type FinishReason,
  garbled,
  type ModelChunk,
  mostOfAnswer,
  tooMany,
  truncated,
} from '../port.ts'
import type { Price } from '../price.ts'
import { type Call, callDeltasIn, callOf, growArgs, joinName, newCall } from './calls.ts'
import { firstChoice, reasonIn } from './events.ts'
import { type Report, readReport, usageOf } from './usage.ts'

/** What the reader of an answer needs of the request. */
export interface AnswerTerms {
  readonly toolNames: ReadonlySet<string>
  /** The most tokens the answer may have, if that was said. */
  readonly maxTokens: number
  readonly price: Price | undefined
}

/**
 * Reads the events of one answer. What does not fit is a `protocol` error, and events that stop before a
 * `finish_reason` are a `truncated_stream`, never a short answer.
 */
export function createAnswerReader(terms: AnswerTerms): Pick<Asked<JsonObject>, 'read' | 'end'> {
  const answer: Answer = {
    toolNames: terms.toolNames,
    started: 0,
    open: null,
    calls: [],
    kept: createKeptCount(),
    reason: null,
    refusal: '',
    report: {},
  }
  return { read: (event) => readEvent(answer, event), end: () => readEnd(answer, terms) }
}

function* readEnd(answer: Answer, terms: AnswerTerms): Chunks {
  if (answer.reason === null) throw truncated()
  yield* closeBlock(answer)
  for (const call of answer.calls) {
    yield* startCall(answer, call)
    const { contentIndex } = call
    if (contentIndex === null) throw garbled('a call has no name')
    yield { type: 'toolcall_end', contentIndex }
  }
  yield finish(answer, terms)
}

type Chunks = Generator<ModelChunk, void, undefined>

interface Answer {
  readonly toolNames: ReadonlySet<string>
  /** How many blocks were started. */
  started: number
  /** The text or thinking that still grows. Calls grow beside it, until the end. */
  open: { readonly kind: 'text' | 'thinking'; readonly contentIndex: number } | null
  readonly calls: Call[]
  readonly kept: (text: string) => string
  reason: string | null
  refusal: string
  report: Report
}

function* readEvent(answer: Answer, event: JsonObject): Chunks {
  const choice = firstChoice(event) ?? {}
  answer.report = readReport(answer.report, event, choice)
  const { delta, message } = choice
  const reason = reasonIn(choice)
  // Some servers send all of an answer in its last event, and some repeat it there.
  const said = delta ?? (reason !== '' && answer.started === 0 && message)
  if (isJsonObject(said)) yield* readDelta(answer, said)
  // Some servers send `stop` once more after the real reason. Calls that were cut off stay so, whatever follows.
  const isOther = stopReasons.get(reason) !== 'tool_use'
  if (reason !== '' && (isOther || answer.reason === null)) answer.reason = reason
}

function* readDelta(answer: Answer, delta: JsonObject): Chunks {
  yield* say(answer, 'thinking', reasoningIn(delta))
  yield* readContent(answer, delta['content'])
  answer.refusal += answer.kept(textIn(delta, 'refusal'))
  const taken = new Set<Call>()
  const parts = callDeltasIn(delta)
  // The number is limited, because each part is compared with each call.
  if (Math.max(parts.length, answer.calls.length) > mostOfAnswer.calls) throw tooMany('calls')
  for (const part of parts) {
    const known = callOf(answer.calls, part, taken)
    const call = known ?? newCall(part.index)
    if (!known) answer.calls.push(call)
    taken.add(call)
    call.id ||= answer.kept(part.id)
    growArgs(call, answer.kept(part.args))
    if (call.contentIndex !== null) {
      yield* callDelta(call.contentIndex, part.args)
      continue
    }
    call.name = joinName(call.name, part.name, answer.toolNames)
    // Calls that began earlier and have no arguments are started first, so that the order of the calls stays.
    if (call.name === '' || call.args === '') continue
    for (const one of answer.calls.slice(0, answer.calls.indexOf(call) + 1))
      yield* startCall(answer, one)
  }
}

/** The same thoughts often come under several names. */
function reasoningIn(delta: JsonObject): string {
  const plain = textIn(delta, 'reasoning_content') || textIn(delta, 'reasoning')
  if (plain !== '') return plain
  return objectsIn(delta, 'reasoning_details')
    .map((detail) => textIn(detail, 'text') || textIn(detail, 'summary'))
    .join('')
}

function* readContent(answer: Answer, content: Json | undefined): Chunks {
  if (typeof content === 'string') return yield* say(answer, 'text', content)
  for (const part of objectsIn({ content }, 'content')) {
    yield* say(answer, 'thinking', thoughtsIn(part))
    yield* say(answer, 'text', textIn(part, 'text'))
    answer.refusal += answer.kept(textIn(part, 'refusal'))
  }
}

function thoughtsIn(part: JsonObject): string {
  const { thinking } = part
  if (typeof thinking === 'string') return thinking
  return objectsIn(part, 'thinking')
    .map((thought) => textIn(thought, 'text'))
    .join('')
}

function* say(answer: Answer, kind: 'text' | 'thinking', delta: string): Chunks {
  if (delta === '') return
  if (answer.open?.kind !== kind) {
    yield* closeBlock(answer)
    answer.open = { kind, contentIndex: answer.started++ }
    yield { type: `${kind}_start`, contentIndex: answer.open.contentIndex }
  }
  yield { type: `${kind}_delta`, contentIndex: answer.open.contentIndex, delta }
}

function* closeBlock(answer: Answer): Chunks {
  if (!answer.open) return
  const { kind, contentIndex } = answer.open
  answer.open = null
  yield { type: `${kind}_end`, contentIndex }
}

function* startCall(answer: Answer, call: Call): Chunks {
  const { id, name, args } = call
  if (call.contentIndex !== null || name === '') return
  yield* closeBlock(answer)
  const contentIndex = answer.started++
  call.contentIndex = contentIndex
  yield {
    type: 'toolcall_start',
    contentIndex,
    toolName: name,
    ...(id !== '' && { providerId: id }),
  }
  yield* callDelta(contentIndex, args)
}

function* callDelta(contentIndex: number, delta: string): Chunks {
  if (delta !== '') yield { type: 'toolcall_delta', contentIndex, delta }
}

function finish(answer: Answer, { maxTokens, price }: AnswerTerms): ModelChunk {
  const usage = usageOf(answer.report, price)
  const stopReason = stopReasonOf(answer)
  // Some servers report calls although the limit cut the last one off.
  const isCut = stopReason === 'tool_use' && usage.outputTokens >= maxTokens
  return {
    type: 'finish',
    stopReason: isCut ? 'max_tokens' : stopReason,
    usage,
    ...(!isBlank(answer.refusal) && { explanation: answer.refusal }),
  }
}

/** A reason that is not known ends the answer like `stop`, but no tool runs. */
function stopReasonOf({ reason, refusal, calls }: Answer): FinishReason {
  if (!isBlank(refusal)) return 'refusal'
  const stopReason = stopReasons.get(reason ?? '') ?? 'stop'
  return stopReason === 'tool_use' && calls.length === 0 ? 'stop' : stopReason
}

const stopReasons: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  // Many servers say `stop` where they made calls, and some say `tool_calls` where they made none.
  ['stop', 'tool_use'],
  ['length', 'max_tokens'],
  ['max_tokens', 'max_tokens'],
  ['model_length', 'context_overflow'],
  ['tool_calls', 'tool_use'],
  ['function_call', 'tool_use'],
  ['content_filter', 'refusal'],
])
