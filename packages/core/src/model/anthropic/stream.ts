import { isJsonObject, type JsonObject } from '../../internal/json.ts'
import { expectObject } from '../http/fields.ts'
import { createKeptCount } from '../http/kept-count.ts'
import type { Asked } from '../http/stream-answer.ts'
import { type FinishReason, garbled, type ModelChunk, truncated } from '../port.ts'
import { type Block, startBlock } from './blocks.ts'
import { costOfAnswer, type ModelPrice } from './prices.ts'
import { nothingUsed, readUsage, type Tally } from './usage.ts'

/** The parts of the request that the reader of its answer needs. */
export interface AnswerTerms {
  readonly maxTokens: number
  /** What the answer costs, where that is known. */
  readonly price: ModelPrice | null | undefined
}

/**
 * Reads the raw events of one answer. An event that does not fit is a `protocol` error, and events that stop before a
 * `stop_reason` are a `truncated_stream`, never a short answer. Unknown kinds of events and deltas are skipped,
 * blocks of unknown kinds are passed on whole.
 */
export function createAnswerReader(terms: AnswerTerms): Pick<Asked<JsonObject>, 'read' | 'end'> {
  const answer: Answer = {
    hasStarted: false,
    stopReason: null,
    explanation: null,
    tally: nothingUsed,
    blocks: new Map(),
    kept: createKeptCount(),
  }
  return {
    read: (event) =>
      event['type'] === 'message_stop' ? [finish(answer, terms)] : readEvent(answer, event),
    end: () => [finish(answer, terms)],
  }
}

interface Answer {
  hasStarted: boolean
  stopReason: string | null
  /** Why the model refused, if the API states it. */
  explanation: string | null
  tally: Tally
  readonly blocks: Map<number, Block>
  readonly kept: (text: string) => string
}

function readEvent(answer: Answer, event: JsonObject): readonly ModelChunk[] {
  switch (event['type']) {
    case 'message_start':
      if (answer.hasStarted) throw garbled('message_start came twice')
      answer.hasStarted = true
      answer.tally = readUsage(answer.tally, expectObject(event, 'message')['usage'])
      return []
    case 'content_block_start':
      return readStart(answer, event)
    case 'content_block_delta':
      return blockOf(answer, event).grow(expectObject(event, 'delta'))
    case 'content_block_stop':
      return blockOf(answer, event).end()
    case 'message_delta':
      return readMessageDelta(answer, event)
    default:
      return []
  }
}

function readStart({ hasStarted, blocks, kept }: Answer, event: JsonObject): readonly ModelChunk[] {
  const { index } = event
  if (!hasStarted) throw garbled('a block came before message_start')
  if (typeof index !== 'number') throw garbled('a block has no index')
  const block = startBlock(index, expectObject(event, 'content_block'), kept)
  blocks.set(index, block)
  return block.start
}

function blockOf({ blocks }: Answer, { type, index }: JsonObject): Block {
  const block = typeof index === 'number' ? blocks.get(index) : undefined
  if (!block) throw garbled(`${String(type)} is for no block`)
  return block
}

/** Whether the answer has ended: nothing but `message_stop` should follow, however often this is said. */
export function hasFinished({ type, delta }: JsonObject, before: unknown): boolean {
  if (before || type !== 'message_delta') return false
  return isJsonObject(delta) && typeof delta['stop_reason'] === 'string'
}

function readMessageDelta(answer: Answer, event: JsonObject): readonly ModelChunk[] {
  if (!answer.hasStarted) throw garbled('message_delta came before message_start')
  const { stop_reason: reason, stop_details: details } = expectObject(event, 'delta')
  // If an answer was cut off, a later reason does not change that.
  if (typeof reason === 'string' && (answer.stopReason === null || !ofWhole.test(reason)))
    answer.stopReason = reason
  const explanation = isJsonObject(details) ? details['explanation'] : undefined
  if (typeof explanation === 'string' && explanation !== '') answer.explanation = explanation
  answer.tally = readUsage(answer.tally, event['usage'])
  return []
}

/** The reasons of an answer that is whole. */
const ofWhole = /^(end_turn|stop_sequence|tool_use)$/

function finish(answer: Answer, { maxTokens, price }: AnswerTerms): ModelChunk {
  if (answer.stopReason === null) throw truncated()
  const stopReason = stopReasons.get(answer.stopReason) ?? 'stop'
  const { usage } = answer.tally
  // Some servers report tool_use although the limit cut the last call off.
  const isCut = stopReason === 'tool_use' && usage.outputTokens >= maxTokens
  return {
    type: 'finish',
    stopReason: isCut ? 'max_tokens' : stopReason,
    usage: price ? { ...usage, cost: costOfAnswer(answer.tally, price) } : usage,
    ...(answer.explanation !== null && { explanation: answer.explanation }),
  }
}

/** A reason that is not listed here ends the answer like `end_turn`: no tool runs. */
const stopReasons: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_use'],
  ['max_tokens', 'max_tokens'],
  ['refusal', 'refusal'],
  ['pause_turn', 'pause_turn'],
  ['model_context_window_exceeded', 'context_overflow'],
])
