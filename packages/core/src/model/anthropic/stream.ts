import { isObject } from '../../internal/json.ts'
import type { Usage } from '../../kernel/message.ts'
import type { FinishReason, ModelChunk } from '../port.ts'
import { garbled, truncated } from '../wire/failures.ts'

/**
 * Reads the raw events of one answer. Nothing is believed: an event that does not fit is a `protocol` error,
 * and events that stop before `message_stop` are a `truncated_stream`, never a short answer. Unknown kinds
 * of events, blocks and deltas are skipped; the blocks that are left are counted without gaps.
 */
export async function* readAnthropicEvents(
  events: AsyncIterable<unknown>,
  { maxTokens }: { readonly maxTokens: number },
): AsyncGenerator<ModelChunk, void, undefined> {
  const answer: Answer = {
    begun: false,
    stopReason: null,
    explanation: null,
    usage: { inputTokens: 0, outputTokens: 0 },
    blocks: [],
    known: 0,
  }
  for await (const event of events) {
    if (!isObject(event)) throw garbled('an event is no object')
    if (event['type'] === 'message_stop') {
      yield finish(answer, maxTokens)
      return
    }
    yield* readEvent(answer, event)
  }
  throw truncated()
}

type Fields = { readonly [key: string]: unknown }

type Kind = 'text' | 'thinking' | 'toolcall' | 'unknown'

interface Block {
  readonly kind: Kind
  readonly contentIndex: number
  open: boolean
  signature: string
  /** Arguments that came whole with the start, as some servers send them. */
  wholeInput: string
}

interface Answer {
  begun: boolean
  stopReason: string | null
  /** Why it refused, if the API says so. */
  explanation: string | null
  usage: Usage
  readonly blocks: Block[]
  /** How many of the blocks are of a kind we pass on. */
  known: number
}

function readEvent(answer: Answer, event: Fields): readonly ModelChunk[] {
  switch (event['type']) {
    case 'message_start':
      if (answer.begun) throw garbled('message_start came twice')
      answer.begun = true
      answer.usage = readUsage(answer.usage, fieldsIn(event, 'message')['usage'])
      return []
    case 'content_block_start':
      return startBlock(answer, event)
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

function startBlock(answer: Answer, event: Fields): readonly ModelChunk[] {
  if (!answer.begun) throw garbled('a block came before message_start')
  if (event['index'] !== answer.blocks.length) throw garbled('a block has the wrong index')
  const content = fieldsIn(event, 'content_block')
  const kind = kindOf(content['type'])
  const contentIndex = answer.known
  const block: Block = { kind, contentIndex, open: true, signature: '', wholeInput: '' }
  answer.blocks.push(block)
  if (kind === 'unknown') return []
  answer.known += 1
  switch (kind) {
    case 'text':
      return [{ type: 'text_start', contentIndex }, ...textDelta(block, content['text'] ?? '')]
    case 'thinking':
      return startThinking(block, content)
    case 'toolcall':
      block.wholeInput = wholeInput(content['input'])
      return [
        {
          type: 'toolcall_start',
          contentIndex,
          toolName: textIn(content, 'name'),
          providerId: textIn(content, 'id'),
        },
      ]
  }
}

function kindOf(type: unknown): Kind {
  if (type === 'text') return 'text'
  if (type === 'thinking' || type === 'redacted_thinking') return 'thinking'
  return type === 'tool_use' ? 'toolcall' : 'unknown'
}

function startThinking(block: Block, content: Fields): readonly ModelChunk[] {
  const { contentIndex } = block
  if (content['type'] === 'redacted_thinking') {
    return [{ type: 'thinking_start', contentIndex, redacted: textIn(content, 'data') }]
  }
  if (typeof content['signature'] === 'string') block.signature = content['signature']
  const start = { type: 'thinking_start', contentIndex } as const
  return [start, ...thinkingDelta(block, content['thinking'] ?? '')]
}

function wholeInput(input: unknown): string {
  return isObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : ''
}

function openBlock(answer: Answer, event: Fields): Block {
  const index = event['index']
  const block = typeof index === 'number' ? answer.blocks[index] : undefined
  if (!block?.open) throw garbled(`${String(event['type'])} is for no open block`)
  return block
}

function growBlock(block: Block, delta: Fields): readonly ModelChunk[] {
  switch (delta['type']) {
    case 'text_delta':
      return textDelta(expectKind(block, 'text'), delta['text'])
    case 'thinking_delta':
      return thinkingDelta(expectKind(block, 'thinking'), delta['thinking'])
    case 'signature_delta':
      expectKind(block, 'thinking').signature += textIn(delta, 'signature')
      return []
    case 'input_json_delta': {
      // Blocks of unknown kinds, such as the provider's own tools, take arguments too.
      if (block.kind === 'unknown') return []
      const text = textIn(delta, 'partial_json')
      if (text === '') return []
      expectKind(block, 'toolcall').wholeInput = ''
      return [{ type: 'toolcall_delta', contentIndex: block.contentIndex, delta: text }]
    }
    default:
      return []
  }
}

function expectKind(block: Block, kind: Kind): Block {
  if (block.kind !== kind) throw garbled(`a ${kind} delta is for a ${block.kind} block`)
  return block
}

function textDelta({ contentIndex }: Block, text: unknown): readonly ModelChunk[] {
  const delta = expectText(text)
  return delta === '' ? [] : [{ type: 'text_delta', contentIndex, delta }]
}

function thinkingDelta({ contentIndex }: Block, text: unknown): readonly ModelChunk[] {
  const delta = expectText(text)
  return delta === '' ? [] : [{ type: 'thinking_delta', contentIndex, delta }]
}

function endBlock(block: Block): readonly ModelChunk[] {
  const { contentIndex, signature, wholeInput: delta } = block
  block.open = false
  switch (block.kind) {
    case 'text':
      return [{ type: 'text_end', contentIndex }]
    case 'thinking':
      return [{ type: 'thinking_end', contentIndex, ...(signature !== '' && { signature }) }]
    case 'toolcall': {
      const end = { type: 'toolcall_end', contentIndex } as const
      return delta === '' ? [end] : [{ type: 'toolcall_delta', contentIndex, delta }, end]
    }
    case 'unknown':
      return []
  }
}

function readMessageDelta(answer: Answer, event: Fields): readonly ModelChunk[] {
  if (!answer.begun) throw garbled('message_delta came before message_start')
  const { stop_reason: reason, stop_details: details } = fieldsIn(event, 'delta')
  if (typeof reason === 'string') answer.stopReason = reason
  const explanation = isObject(details) ? details['explanation'] : undefined
  if (typeof explanation === 'string' && explanation !== '') answer.explanation = explanation
  answer.usage = readUsage(answer.usage, event['usage'])
  return []
}

/** The figures are totals, so a later one replaces an earlier one. */
function readUsage(before: Usage, reported: unknown): Usage {
  if (!isObject(reported)) return before
  const count = (key: string) => (typeof reported[key] === 'number' ? reported[key] : undefined)
  const read = count('cache_read_input_tokens') ?? before.cacheReadTokens
  const written = count('cache_creation_input_tokens') ?? before.cacheWriteTokens
  return {
    inputTokens: count('input_tokens') ?? before.inputTokens,
    outputTokens: count('output_tokens') ?? before.outputTokens,
    ...(read !== undefined && { cacheReadTokens: read }),
    ...(written !== undefined && { cacheWriteTokens: written }),
  }
}

function finish(answer: Answer, maxTokens: number): ModelChunk {
  if (answer.stopReason === null) throw truncated()
  if (answer.blocks.some((block) => block.open)) throw garbled('a block has no end')
  const stopReason = stopReasons.get(answer.stopReason) ?? 'stop'
  const { usage } = answer
  // Some servers report tool_use although the limit cut the last call off.
  const isCut = stopReason === 'tool_use' && usage.outputTokens >= maxTokens
  return {
    type: 'finish',
    stopReason: isCut ? 'max_tokens' : stopReason,
    usage,
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

function fieldsIn(fields: Fields, key: string): Fields {
  const value = fields[key]
  if (!isObject(value)) throw garbled(`${key} is missing`)
  return value
}

function textIn(fields: Fields, key: string): string {
  const value = fields[key]
  if (typeof value !== 'string') throw garbled(`${key} is missing`)
  return value
}

function expectText(value: unknown): string {
  if (typeof value !== 'string') throw garbled('a delta has no text')
  return value
}
