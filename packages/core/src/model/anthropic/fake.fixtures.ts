import type { Sent } from '../http/streamed.fixtures.ts'

export type RawEvent = { readonly type: string; readonly [key: string]: unknown }

/** A block of an answer, and the pieces it is streamed in. */
type ScriptedBlock =
  | { readonly type: 'text'; readonly pieces: readonly string[] }
  | {
      readonly type: 'thinking'
      readonly pieces: readonly string[]
      readonly signature: readonly string[]
    }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'tool_use'
      readonly id: string
      readonly name: string
      readonly pieces: readonly string[]
    }

export interface ScriptedAnswer {
  readonly blocks: readonly ScriptedBlock[]
  readonly stopReason?: string | null
  readonly inputUsage?: { readonly [key: string]: unknown }
  readonly outputUsage?: { readonly [key: string]: unknown }
}

/** Text and two parallel calls, in pieces that split words and arguments. */
export const twoCalls: ScriptedAnswer = {
  stopReason: 'tool_use',
  blocks: [
    { type: 'text', pieces: ['Ich schaue ', 'nach 🕰️.'] },
    { type: 'tool_use', id: 'toolu_1', name: 'clock', pieces: ['', '{"city":', '"Київ"}'] },
    { type: 'tool_use', id: 'toolu_2', name: 'clock', pieces: ['{"city":"Lima"}'] },
  ],
}

/** `twoCalls` as a server sends it. */
export const sentTwoCalls: Sent = {
  whole: toSse(eventsOf(twoCalls)),
  part: toSse(eventsOf(twoCalls).slice(0, 5)),
}

/** A whole answer, block after block. */
export function eventsOf(answer: ScriptedAnswer): RawEvent[] {
  return wrap(
    answer,
    answer.blocks.flatMap((block, index) => [
      startOf(block, index),
      ...deltasOf(block, index),
      { type: 'content_block_stop', index },
    ]),
  )
}

/** A whole answer whose blocks all start before any ends, their deltas taking turns. */
export function interleavedEventsOf(answer: ScriptedAnswer): RawEvent[] {
  const queues = answer.blocks.map(deltasOf)
  const deltas: RawEvent[] = []
  while (queues.some((queue) => queue.length > 0)) {
    for (const queue of queues) deltas.push(...queue.splice(0, 1))
  }
  return wrap(answer, [
    ...answer.blocks.map(startOf),
    ...deltas,
    ...answer.blocks.map((_, index) => ({ type: 'content_block_stop', index })),
  ])
}

/** Events as the bytes of a server-sent event stream. */
export function toSse(events: readonly RawEvent[]): Uint8Array {
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  return new TextEncoder().encode(text.join(''))
}

function wrap(answer: ScriptedAnswer, blocks: readonly RawEvent[]): RawEvent[] {
  const { stopReason = 'end_turn', inputUsage, outputUsage } = answer
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1, ...inputUsage },
  }
  return [
    { type: 'message_start', message },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: 20, ...outputUsage },
    },
    { type: 'message_stop' },
  ]
}

function startOf(block: ScriptedBlock, index: number): RawEvent {
  const empty = {
    text: { type: 'text', text: '', citations: null },
    thinking: { type: 'thinking', thinking: '', signature: '' },
    redacted_thinking: block.type === 'redacted_thinking' ? block : {},
    tool_use:
      block.type === 'tool_use'
        ? {
            type: 'tool_use',
            id: block.id,
            name: block.name,
            input: {},
            caller: { type: 'direct' },
          }
        : {},
  }
  return { type: 'content_block_start', index, content_block: empty[block.type] }
}

function deltasOf(block: ScriptedBlock, index: number): RawEvent[] {
  const delta = (fields: object): RawEvent => ({
    type: 'content_block_delta',
    index,
    delta: fields,
  })
  switch (block.type) {
    case 'text':
      return block.pieces.map((text) => delta({ type: 'text_delta', text }))
    case 'thinking':
      return [
        ...block.pieces.map((thinking) => delta({ type: 'thinking_delta', thinking })),
        ...block.signature.map((signature) => delta({ type: 'signature_delta', signature })),
      ]
    case 'tool_use':
      return block.pieces.map((json) => delta({ type: 'input_json_delta', partial_json: json }))
    case 'redacted_thinking':
      return []
  }
}
