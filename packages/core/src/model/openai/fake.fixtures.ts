import type { Sent } from '../http/streamed.fixtures.ts'

/** An event of a stream, before it is written. A text is written as it is. */
export type RawEvent = { readonly [key: string]: unknown } | string

/** One chunk with one choice. */
export function chunk(delta: object | null, finishReason: string | null = null): RawEvent {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'gpt-test',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  }
}

/** A chunk whose delta holds these entries of `tool_calls`. */
export function callsChunk(...calls: readonly object[]): RawEvent {
  return chunk({ tool_calls: calls })
}

/** The chunk after the last choice, with what the answer took. */
export function usageChunk(usage: object): RawEvent {
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [], usage }
}

export const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 }

/** Text and two parallel calls, in pieces that split words and arguments. */
export const twoCalls: readonly RawEvent[] = [
  chunk({ role: 'assistant', content: '', refusal: null }),
  chunk({ content: 'Ich schaue ' }),
  chunk({ content: 'nach 🕰️.' }),
  callsChunk({
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: 'clock', arguments: '' },
  }),
  callsChunk({ index: 0, function: { arguments: '{"city":' } }),
  callsChunk({ index: 0, function: { arguments: '"Київ"}' } }),
  callsChunk({
    index: 1,
    id: 'call_2',
    type: 'function',
    function: { name: 'clock', arguments: '' },
  }),
  callsChunk({ index: 1, function: { arguments: '{"city":"Lima"}' } }),
  chunk({}, 'tool_calls'),
  usageChunk(usage),
]

/** The same as a server sends it. */
export const sentTwoCalls: Sent = {
  whole: toSse(twoCalls),
  part: toSse(twoCalls.slice(0, 5), { done: false }),
}

/** Events as the bytes of a server-sent event stream, with `[DONE]` behind them. */
export function toSse(
  events: readonly RawEvent[],
  { done = true }: { readonly done?: boolean } = {},
): Uint8Array {
  const texts = [...events, ...(done ? ['[DONE]'] : [])].map((event) =>
    typeof event === 'string' ? event : JSON.stringify(event),
  )
  return new TextEncoder().encode(texts.map((text) => `data: ${text}\n\n`).join(''))
}
