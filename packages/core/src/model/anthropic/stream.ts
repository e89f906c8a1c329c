import type { Json, JsonObject } from '../../internal/json.ts'
import { isJsonObject } from '../../internal/json.ts'
import { garbled, truncated } from '../http/failures.ts'
import type { FinishReason, ModelChunk } from '../port.ts'
import { type Block, endBlock, growBlock, startBlock } from './blocks.ts'
import { fieldsIn } from './fields.ts'
import { costOfAnswer, type ModelPrice } from './prices.ts'
import { nothingUsed, readUsage, type Tally } from './usage.ts'

/** What was asked for. */
export interface Asked {
  readonly maxTokens: number
  /** What the answer costs, where that is known. */
  readonly price: ModelPrice | null | undefined
}

/**
 * Reads the raw events of one answer. Nothing is believed: an event that does not fit is a `protocol` error,
 * and events that stop before `message_stop` are a `truncated_stream`, never a short answer. Unknown kinds
 * of events and deltas are skipped, blocks of unknown kinds are passed on whole.
 */
export async function* readAnthropicEvents(
  events: AsyncIterable<Json>,
  asked: Asked,
): AsyncGenerator<ModelChunk, void, undefined> {
  const answer: Answer = {
    begun: false,
    stopReason: null,
    explanation: null,
    tally: nothingUsed,
    blocks: [],
  }
  for await (const event of events) {
    if (!isJsonObject(event)) throw garbled('an event is no object')
    if (event['type'] === 'message_stop') {
      yield finish(answer, asked)
      return
    }
    yield* readEvent(answer, event)
  }
  throw truncated()
}

interface Answer {
  begun: boolean
  stopReason: string | null
  /** Why it refused, if the API says so. */
  explanation: string | null
  tally: Tally
  readonly blocks: Block[]
}

function readEvent(answer: Answer, event: JsonObject): readonly ModelChunk[] {
  switch (event['type']) {
    case 'message_start':
      if (answer.begun) throw garbled('message_start came twice')
      answer.begun = true
      answer.tally = readUsage(answer.tally, fieldsIn(event, 'message')['usage'])
      return []
    case 'content_block_start':
      return readStart(answer, event)
    case 'content_block_delta':
      return growBlock(openBlock(answer, event), fieldsIn(event, 'delta'))
    case 'content_block_stop':
      return endBlock(openBlock(answer, event))
    case 'message_delta':
      return readMessageDelta(answer, event)
    default:
      return []
  }
}

function readStart({ begun, blocks }: Answer, event: JsonObject): readonly ModelChunk[] {
  if (!begun) throw garbled('a block came before message_start')
  if (event['index'] !== blocks.length) throw garbled('a block has the wrong index')
  const { block, chunks } = startBlock(blocks.length, fieldsIn(event, 'content_block'))
  blocks.push(block)
  return chunks
}

function openBlock(answer: Answer, event: JsonObject): Block {
  const index = event['index']
  const block = typeof index === 'number' ? answer.blocks[index] : undefined
  if (!block?.open) throw garbled(`${String(event['type'])} is for no open block`)
  return block
}

function readMessageDelta(answer: Answer, event: JsonObject): readonly ModelChunk[] {
  if (!answer.begun) throw garbled('message_delta came before message_start')
  const { stop_reason: reason, stop_details: details } = fieldsIn(event, 'delta')
  if (typeof reason === 'string') answer.stopReason = reason
  const isTold = details !== undefined && isJsonObject(details)
  const explanation = isTold ? details['explanation'] : undefined
  if (typeof explanation === 'string' && explanation !== '') answer.explanation = explanation
  answer.tally = readUsage(answer.tally, event['usage'])
  return []
}

function finish(answer: Answer, { maxTokens, price }: Asked): ModelChunk {
  if (answer.stopReason === null) throw truncated()
  if (answer.blocks.some((block) => block.open)) throw garbled('a block has no end')
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
