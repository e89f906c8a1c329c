import type { Protocol } from '../exchange.ts'

/** A part of an answer, in the pieces it is streamed in. */
export type Part =
  | { readonly type: 'text'; readonly pieces: readonly string[] }
  | {
      readonly type: 'call'
      readonly id: string
      readonly name: string
      readonly pieces: readonly string[]
    }

/** Why an answer ends, in Anthropic's words and in OpenAI's. */
interface Stop {
  readonly anthropic: string
  readonly openai: string
}

/** An answer in no vendor's form. */
export interface Answer {
  readonly parts: readonly Part[]
  readonly stop: Stop
  /** Default: 20. */
  readonly outputTokens?: number
}

/** An event of a stream: its data, and for Anthropic its name. */
export interface StreamEvent {
  readonly event?: string
  readonly data: string
}

const stops = {
  end: { anthropic: 'end_turn', openai: 'stop' },
  calls: { anthropic: 'tool_use', openai: 'tool_calls' },
  length: { anthropic: 'max_tokens', openai: 'length' },
  refusal: { anthropic: 'refusal', openai: 'content_filter' },
  pause: { anthropic: 'pause_turn', openai: 'pause_turn' },
  full: { anthropic: 'model_context_window_exceeded', openai: 'length' },
  unknown: { anthropic: 'tired', openai: 'tired' },
} as const

/** How an answer can end. */
export type StopName = keyof typeof stops

/** An answer of these parts. */
export function answer(stop: StopName, ...parts: readonly Part[]): Answer {
  return { stop: stops[stop], parts }
}

/** Text, in pieces that split words and multi-byte characters. */
export function text(...pieces: readonly string[]): Part {
  return { type: 'text', pieces }
}

/** A call of the tool `clock`, its arguments in two pieces; `args` need not be JSON. */
export function call(id: string, args: string, name = 'clock'): Extract<Part, { type: 'call' }> {
  return { type: 'call', id, name, pieces: [args.slice(0, 4), args.slice(4)] }
}

/** The events of an answer in a vendor's form. */
export function eventsOf(given: Answer, protocol: Protocol): readonly StreamEvent[] {
  return protocol === 'anthropic' ? anthropicEvents(given) : openaiEvents(given)
}

/** An event in Anthropic's form. */
export function anthropicEvent(fields: {
  readonly type: string
  [key: string]: unknown
}): StreamEvent {
  return { event: fields.type, data: JSON.stringify(fields) }
}

/** A chunk of OpenAI's kind, with one choice. */
export function openaiChunk(delta: object, finish_reason: string | null = null): StreamEvent {
  return openaiData({ choices: [{ index: 0, delta, logprobs: null, finish_reason }] })
}

/** A chunk in OpenAI's form. */
export function openaiData(fields: object): StreamEvent {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-test' }
  return { data: JSON.stringify({ ...head, ...fields }) }
}

export const openaiDone: StreamEvent = { data: '[DONE]' }

/** How an event is written. */
export function toSse({ event, data }: StreamEvent): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${data}\n\n`
}

function anthropicEvents({ parts, stop, outputTokens = 20 }: Answer): readonly StreamEvent[] {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1 },
  }
  return [
    anthropicEvent({ type: 'message_start', message }),
    ...parts.flatMap(anthropicBlock),
    anthropicEvent({
      type: 'message_delta',
      delta: { stop_reason: stop.anthropic, stop_sequence: null },
      usage: { output_tokens: outputTokens },
    }),
    anthropicEvent({ type: 'message_stop' }),
  ]
}

function anthropicBlock(part: Part, index: number): readonly StreamEvent[] {
  const content_block =
    part.type === 'text'
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: part.id, name: part.name, input: {} }
  return [
    anthropicEvent({ type: 'content_block_start', index, content_block }),
    ...part.pieces.map((piece) =>
      anthropicEvent({
        type: 'content_block_delta',
        index,
        delta:
          part.type === 'text'
            ? { type: 'text_delta', text: piece }
            : { type: 'input_json_delta', partial_json: piece },
      }),
    ),
    anthropicEvent({ type: 'content_block_stop', index }),
  ]
}

function openaiEvents({ parts, stop, outputTokens = 20 }: Answer): readonly StreamEvent[] {
  const calls = parts.filter((part) => part.type === 'call')
  return [
    openaiChunk({ role: 'assistant', content: '' }),
    ...parts.flatMap((part) =>
      part.type === 'text'
        ? part.pieces.map((content) => openaiChunk({ content }))
        : openaiCall(part, calls.indexOf(part)),
    ),
    openaiChunk({}, stop.openai),
    openaiData({
      choices: [],
      usage: {
        prompt_tokens: 10,
        completion_tokens: outputTokens,
        total_tokens: 10 + outputTokens,
      },
    }),
    openaiDone,
  ]
}

function openaiCall(part: Extract<Part, { type: 'call' }>, index: number): readonly StreamEvent[] {
  const { id, name, pieces } = part
  return [
    openaiChunk({
      tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
    }),
    ...pieces.map((piece) =>
      openaiChunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
    ),
  ]
}
