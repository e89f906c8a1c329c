import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages/messages'
import type { PlanStep } from './plan.ts'

/** Events of the stream; the SDK drops pings before its own types begin. */
export type StreamEvent = RawMessageStreamEvent | { readonly type: 'ping' }

export interface StreamOptions {
  readonly id: string
  readonly model: string
  /** Characters in one delta. */
  readonly chunkSize: number
}

/** A step as the events of one streamed message. Tokens are not counted, so usage stays zero. */
export function toEvents(
  step: PlanStep,
  { id, model, chunkSize }: StreamOptions,
): readonly StreamEvent[] {
  const events: StreamEvent[] = [startEvent(id, model), { type: 'ping' }]
  let index = 0
  if (step.text !== '') {
    events.push({
      type: 'content_block_start',
      index,
      content_block: { type: 'text', text: '', citations: null },
    })
    for (const text of chunk(step.text, chunkSize))
      events.push({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })
    events.push({ type: 'content_block_stop', index })
    index++
  }
  for (const [place, call] of step.calls.entries()) {
    const block = {
      type: 'tool_use',
      id: `toolu_${id}_${place}`,
      name: call.name,
      input: {},
      caller: { type: 'direct' },
    } as const
    events.push({ type: 'content_block_start', index, content_block: block })
    const size = Math.max(chunkSize, Math.ceil(call.json.length / 60))
    for (const json of chunk(call.json, size))
      events.push({
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json: json },
      })
    events.push({ type: 'content_block_stop', index })
    index++
  }
  events.push(endEvent(step.calls.length > 0 ? 'tool_use' : 'end_turn'), { type: 'message_stop' })
  return events
}

export function toServerSentEvent(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function startEvent(id: string, model: string): StreamEvent {
  return {
    type: 'message_start',
    message: {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      container: null,
      diagnostics: null,
      stop_reason: null,
      stop_details: null,
      stop_sequence: null,
      usage: {
        input_tokens: 0,
        output_tokens: 0,
        output_tokens_details: null,
        cache_creation: null,
        cache_creation_input_tokens: null,
        cache_read_input_tokens: null,
        inference_geo: null,
        server_tool_use: null,
        service_tier: null,
        speed: null,
      },
    },
  }
}

function endEvent(reason: 'tool_use' | 'end_turn'): StreamEvent {
  return {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null, stop_details: null, container: null },
    usage: {
      input_tokens: 0,
      output_tokens: 0,
      output_tokens_details: null,
      cache_creation_input_tokens: null,
      cache_read_input_tokens: null,
      server_tool_use: null,
    },
  }
}

/** Cuts between whole characters: half an emoji is no valid text. */
function chunk(text: string, size: number): readonly string[] {
  const characters = Array.from(text)
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  )
}
