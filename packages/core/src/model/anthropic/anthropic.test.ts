import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createAccumulator } from '../accumulate.ts'
import { responseIn, streamed } from '../http/streamed.fixtures.ts'
import { grammarErrors, modelContract } from '../model.contract.ts'
import { type Model, type ModelChunk, ModelError, type ModelRequest } from '../port.ts'
import { type AnthropicOptions, anthropic } from './anthropic.ts'
import {
  eventsOf,
  interleavedEventsOf,
  type RawEvent,
  type ScriptedAnswer,
  sentTwoCalls,
  toSse,
  twoCalls,
} from './fake.fixtures.ts'

modelContract('anthropic', (situation) => scripted(() => responseIn(situation, sentTwoCalls)))

describe('an answer', () => {
  test('[S002-6] [S002-10] of text and two calls comes as chunks, deltas unjoined', async () => {
    const chunks = await read(eventsOf(twoCalls))

    expect(chunks).toEqual([
      { type: 'text_start', contentIndex: 0 },
      { type: 'text_delta', contentIndex: 0, delta: 'Ich schaue ' },
      { type: 'text_delta', contentIndex: 0, delta: 'nach 🕰️.' },
      { type: 'text_end', contentIndex: 0 },
      { type: 'toolcall_start', contentIndex: 1, toolName: 'clock', providerId: 'toolu_1' },
      { type: 'toolcall_delta', contentIndex: 1, delta: '{"city":' },
      { type: 'toolcall_delta', contentIndex: 1, delta: '"Київ"}' },
      { type: 'toolcall_end', contentIndex: 1 },
      { type: 'toolcall_start', contentIndex: 2, toolName: 'clock', providerId: 'toolu_2' },
      { type: 'toolcall_delta', contentIndex: 2, delta: '{"city":"Lima"}' },
      { type: 'toolcall_end', contentIndex: 2 },
      { type: 'finish', stopReason: 'tool_use', usage: { inputTokens: 10, outputTokens: 20 } },
    ])
  })

  test('may interleave its blocks', async () => {
    const chunks = await read(interleavedEventsOf(twoCalls))

    expect(grammarErrors(chunks)).toEqual([])
    expect(
      chunks.slice(0, 6).map((chunk) => 'contentIndex' in chunk && chunk.contentIndex),
    ).toEqual([0, 1, 2, 0, 2, 0])
    expect(deltasOf(chunks, 1)).toBe('{"city":"Київ"}')
  })

  test('keeps the signature of thinking, and redacted thinking whole', async () => {
    const chunks = await read(
      eventsOf({
        blocks: [
          { type: 'thinking', pieces: ['Two ', 'cities.'], signature: ['sig', 'A=='] },
          { type: 'redacted_thinking', data: 'gibberish' },
          { type: 'thinking', pieces: [], signature: ['only'] },
          { type: 'text', pieces: ['Yes.'] },
        ],
      }),
    )

    expect(chunks.filter((chunk) => chunk.type.startsWith('thinking'))).toEqual([
      { type: 'thinking_start', contentIndex: 0 },
      { type: 'thinking_delta', contentIndex: 0, delta: 'Two ' },
      { type: 'thinking_delta', contentIndex: 0, delta: 'cities.' },
      { type: 'thinking_end', contentIndex: 0, signature: 'sigA==' },
      { type: 'thinking_start', contentIndex: 1, redacted: 'gibberish' },
      { type: 'thinking_end', contentIndex: 1 },
      { type: 'thinking_start', contentIndex: 2 },
      { type: 'thinking_end', contentIndex: 2, signature: 'only' },
    ])
  })

  test('keeps blocks of unknown kinds as they came, in their place', async () => {
    const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }
    const found = { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ url: 'x' }] }
    const summary = { type: 'compaction', content: null }
    const delta = (index: number, fields: object): RawEvent => ({
      type: 'content_block_delta',
      index,
      delta: fields,
    })
    const start = (index: number, content_block: object): RawEvent => ({
      type: 'content_block_start',
      index,
      content_block,
    })
    const [begin, end, stop] = eventsOf({ blocks: [], stopReason: 'pause_turn' })

    const chunks = await read([
      begin as RawEvent,
      start(0, search),
      delta(0, { type: 'input_json_delta', partial_json: '' }),
      delta(0, { type: 'input_json_delta', partial_json: '{"query":' }),
      delta(0, { type: 'input_json_delta', partial_json: '"noon"}' }),
      { type: 'content_block_stop', index: 0 },
      start(1, found),
      { type: 'content_block_stop', index: 1 },
      start(2, summary),
      delta(2, { type: 'compaction_delta', content: 'All ' }),
      delta(2, { type: 'compaction_delta', content: 'said.', flags: [1] }),
      { type: 'content_block_stop', index: 2 },
      start(3, search),
      delta(3, { type: 'input_json_delta', partial_json: '{"query":"no' }),
      { type: 'content_block_stop', index: 3 },
      end as RawEvent,
      stop as RawEvent,
    ])

    expect(grammarErrors(chunks)).toEqual([])
    expect(chunks.slice(0, -1)).toEqual([
      { type: 'opaque_start', contentIndex: 0, data: search },
      { type: 'opaque_end', contentIndex: 0, data: { ...search, input: { query: 'noon' } } },
      { type: 'opaque_start', contentIndex: 1, data: found },
      { type: 'opaque_end', contentIndex: 1 },
      { type: 'opaque_start', contentIndex: 2, data: summary },
      {
        type: 'opaque_end',
        contentIndex: 2,
        data: { ...summary, content: 'All said.', flags: [1] },
      },
      { type: 'opaque_start', contentIndex: 3, data: search },
      { type: 'opaque_end', contentIndex: 3 },
    ])
  })

  test('skips events and deltas of unknown kinds', async () => {
    const events = eventsOf({
      blocks: [
        { type: 'text', pieces: ['a'] },
        { type: 'text', pieces: ['b'] },
        { type: 'text', pieces: ['c'] },
        { type: 'text', pieces: ['d'] },
      ],
    })
    const isOfSecond = (event: RawEvent) => event['index'] === 1
    const strange = events.map((event) => {
      if (!isOfSecond(event)) return event
      if (event.type === 'content_block_start') {
        return {
          ...event,
          content_block: { type: 'server_tool_use', id: 'x', name: 'y', input: {} },
        }
      }
      const delta = { type: 'input_json_delta', partial_json: '{}' }
      return event.type === 'content_block_delta' ? { ...event, delta } : event
    })

    const chunks = await read([
      { type: 'ping' },
      ...strange.slice(0, 3),
      { type: 'weather_report', index: 7, delta: { type: 'text_delta', text: 'sunny' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'mood_delta', mood: 'blue' } },
      ...strange.slice(3),
    ])

    expect(grammarErrors(chunks)).toEqual([])
    expect([0, 2, 3].map((index) => deltasOf(chunks, index))).toEqual(['a', 'c', 'd'])
  })

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'tool_use'],
    ['max_tokens', 'max_tokens'],
    ['refusal', 'refusal'],
    ['pause_turn', 'pause_turn'],
    ['model_context_window_exceeded', 'context_overflow'],
    ['something_new', 'stop'],
    ['constructor', 'stop'],
  ])('that ends with %s stops as %s', async (stopReason, expected) => {
    const chunks = await read(eventsOf({ blocks: [], stopReason }))

    expect(chunks).toMatchObject([{ type: 'finish', stopReason: expected }])
  })

  test.each([
    [{ type: 'refusal', category: 'cyber', explanation: 'It is about locks.' }, true],
    [{ type: 'refusal', category: null, explanation: null }, false],
    ['no object', false],
    [null, false],
  ])('explains a refusal if the API does: %j', async (details, isExplained) => {
    const events = eventsOf({ blocks: [], stopReason: 'refusal' }).map((event) =>
      event.type === 'message_delta'
        ? { ...event, delta: { stop_reason: 'refusal', stop_details: details } }
        : event,
    )

    const finish = (await read(events)).at(-1)

    const explanation = { explanation: 'It is about locks.' }
    if (isExplained) expect(finish).toMatchObject(explanation)
    else expect(finish).not.toHaveProperty('explanation')
  })

  test('reports usage as totals, cache apart', async () => {
    const chunks = await read(
      eventsOf({
        blocks: [],
        inputUsage: { cache_read_input_tokens: 900, cache_creation_input_tokens: null },
        outputUsage: { input_tokens: 12, output_tokens: 34, cache_creation_input_tokens: 56 },
      }),
    )

    expect(chunks).toMatchObject([
      {
        usage: { inputTokens: 12, outputTokens: 34, cacheReadTokens: 900, cacheWriteTokens: 56 },
      },
    ])
  })

  test('costs what its tokens cost, where that is known', async () => {
    const answer = eventsOf({
      blocks: [],
      inputUsage: {
        input_tokens: 1000,
        cache_creation_input_tokens: 3000,
        cache_creation: { ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 2000 },
        cache_read_input_tokens: 10_000,
      },
      outputUsage: { output_tokens: 500 },
    })
    const usageOf = async (options: Partial<AnthropicOptions>) => {
      const asked = scripted(() => streamed([toSse(answer)]), options)
      const finish = (await collect(asked)).at(-1)
      const cost = finish?.type === 'finish' ? finish.usage.cost : undefined
      return [asked.reportsCost, cost && Math.round(cost * 1_000_000)]
    }

    expect(await usageOf({})).toEqual([false, undefined])
    expect(await usageOf({ model: 'claude-opus-5-5' })).toEqual([
      true,
      4 * 1000 + 5 * 1000 + 8 * 2000 + 0.2 * 10_000 + 20 * 500,
    ])
    expect(await usageOf({ price: { input: 1, output: 2, cacheRead: 0, cacheWrite: 1 } })).toEqual([
      true,
      1000 + 3000 + 2 * 500,
    ])
    expect(await usageOf({ model: 'claude-opus-5-5', price: null })).toEqual([false, undefined])
  })

  test('has no second chunk of an event after an abort', async () => {
    const [start, block, ...rest] = eventsOf(twoCalls)
    const content = { type: 'text', text: 'Hello' }
    const bytes = toSse([start, { ...block, content_block: content }, ...rest] as RawEvent[])
    const controller = new AbortController()
    const reason = new Error('stop')
    const model = scripted(() => streamed([bytes]))
    const seen: string[] = []

    const reading = (async () => {
      for await (const chunk of model.stream(question, { signal: controller.signal })) {
        seen.push(chunk.type)
        controller.abort(reason)
      }
    })()

    await expect(reading).rejects.toBe(reason)
    expect(seen).toEqual(['text_start'])
  })

  test.each([
    ['max_tokens', 'end_turn', 'max_tokens'],
    ['refusal', 'tool_use', 'refusal'],
    ['end_turn', 'max_tokens', 'max_tokens'],
    ['end_turn', 'tool_use', 'stop'],
  ])('[M10] that says %s and then %s ends as %s', async (first, second, expected) => {
    const events = eventsOf({ ...twoCalls, stopReason: first })
    const again = eventsOf({ ...twoCalls, stopReason: second }).slice(-2)

    const chunks = await read([...events.slice(0, -1), ...again])

    expect(chunks.at(-1)).toMatchObject({ stopReason: expected })
  })

  test('[M10] comes one second after its reason, however often that is repeated', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const events = eventsOf(twoCalls).slice(0, -1)
    const body = [toSse(events), toSse(events.slice(-1))]

    const chunks = await collect(scripted(() => streamed(body, { ending: 'repeat' })))

    expect(chunks).toEqual(await read(events))
  })

  test('that used all its tokens is cut off, even if the server says tool_use', async () => {
    const events = eventsOf({ ...twoCalls, outputUsage: { output_tokens: 20 } })

    const chunks = await read(events, { maxTokens: 20 })

    expect(chunks.at(-1)).toMatchObject({ stopReason: 'max_tokens' })
  })

  test('[S002-6] may bring text, thinking or arguments with the start of a block', async () => {
    const input = { city: 'Lima' }
    const starts: readonly object[] = [
      { type: 'text', text: 'He' },
      { type: 'thinking', thinking: 'Hm', signature: 'sig' },
      { type: 'tool_use', id: 't', name: 'clock', input },
      { type: 'tool_use', id: 'u', name: 'clock', input },
    ]
    const events = eventsOf({
      blocks: [
        { type: 'text', pieces: ['llo'] },
        { type: 'thinking', pieces: [], signature: [] },
        { type: 'tool_use', id: 't', name: 'clock', pieces: [] },
        { type: 'tool_use', id: 'u', name: 'clock', pieces: ['{"city":', '"Kyiv"}'] },
      ],
    }).map((event) =>
      event.type === 'content_block_start'
        ? { ...event, content_block: starts[Number(event['index'])] }
        : event,
    )

    const chunks = await read(events)

    expect([0, 1, 2, 3].map((index) => deltasOf(chunks, index))).toEqual([
      'Hello',
      'Hm',
      '{"city":"Lima"}',
      '{"city":"Kyiv"}',
    ])
    expect(chunks).toContainEqual({ type: 'thinking_end', contentIndex: 1, signature: 'sig' })
    expect(grammarErrors(chunks)).toEqual([])
  })
})

describe('the bytes', () => {
  const thinkingAndCalls: ScriptedAnswer = {
    ...twoCalls,
    blocks: [
      { type: 'thinking', pieces: ['Дві 🌍 міста'], signature: ['c2ln'] },
      ...twoCalls.blocks,
    ],
  }
  const bytes = toSse(eventsOf(thinkingAndCalls))
  const untilReason = toSse(eventsOf(thinkingAndCalls).slice(0, -1))

  test('may be split anywhere', async () => {
    const whole = await collect(scripted(() => streamed([bytes])))
    expect(whole.at(-1)).toMatchObject({ type: 'finish' })

    for (let at = 1; at < bytes.length; at += 1) {
      const pieces = [bytes.subarray(0, at), bytes.subarray(at)]
      expect(await collect(scripted(() => streamed(pieces))), `split at ${at}`).toEqual(whole)
    }
  })

  test('may come one by one', async () => {
    const whole = await collect(scripted(() => streamed([bytes])))
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))

    expect(await collect(scripted(() => streamed(single)))).toEqual(whole)
  })

  test('may end in CRLF lines and hold comments', async () => {
    const whole = await collect(scripted(() => streamed([bytes])))
    const text = `: hello\n\n${new TextDecoder().decode(bytes)}`.replaceAll('\n', '\r\n')

    expect(await collect(scripted(() => streamed([new TextEncoder().encode(text)])))).toEqual(whole)
  })

  test.each(['end', 'break'] as const)(
    '[M2] never make a short answer when they %s early',
    async (ending) => {
      const end = ending === 'end' ? untilReason : bytes
      for (let at = 0; at < end.length; at += 1) {
        const response = () => streamed([bytes.subarray(0, at)], { ending })
        const outcome = await failureOf(scripted(response))
        const kind = ending === 'end' ? 'truncated_stream' : 'network'
        expect(outcome.error, `cut at ${at}`).toMatchObject({ kind, retryable: true })
      }
    },
  )

  test('[M2] are a whole answer from the reason for its end on', async () => {
    const whole = await collect(scripted(() => streamed([bytes])))

    expect(await collect(scripted(() => streamed([untilReason])))).toEqual(whole)
  })

  test('end the answer with message_stop: what comes later is not awaited', async () => {
    const chunks = await collect(scripted(() => streamed([bytes], { ending: 'wait' })))

    expect(chunks.at(-1)).toMatchObject({ type: 'finish' })
  })
})

describe('a garbled answer', () => {
  const good = eventsOf(twoCalls)
  const delta = (index: unknown, fields: object): RawEvent => ({
    type: 'content_block_delta',
    index,
    delta: fields,
  })
  const text = { type: 'text_delta', text: 'x' }

  test.each<[string, readonly RawEvent[]]>([
    ['two beginnings', [...good.slice(0, 1), ...good]],
    ['no beginning', good.slice(1)],
    ['a block before the beginning', [...good.slice(1, 2), ...good.slice(0, 1), ...good.slice(2)]],
    ['an end before the beginning', [...good.slice(-2, -1), ...good]],
    [
      'a block of another index',
      good.map((event, at) => (at === 1 ? { ...event, index: 1 } : event)),
    ],
    ['a delta for no block', [...good.slice(0, 1), delta(0, text), ...good.slice(1)]],
    ['a delta after the end', [...good.slice(0, 5), delta(0, text), ...good.slice(5)]],
    ['a delta of the wrong kind', [...good.slice(0, 6), delta(1, text), ...good.slice(6)]],
    [
      'a delta without text',
      [...good.slice(0, 2), delta(0, { type: 'text_delta' }), ...good.slice(2)],
    ],
    ['a block that starts twice', [...good.slice(0, 2), ...good.slice(1)]],
    ['a gap in the blocks', good.filter((event) => event['index'] !== 1)],
    ['a block without an end', good.filter((_, at) => at !== 4)],
    ['an end without a block', [...good.slice(0, 5), ...good.slice(4)]],
    [
      'no delta',
      [...good.slice(0, 2), { type: 'content_block_delta', index: 0 }, ...good.slice(2)],
    ],
    ['an index that is none', [...good.slice(0, 2), delta('0', text), ...good.slice(2)]],
  ])('with %s fails', async (_, events) => {
    const { error } = await failureOf(scripted(() => streamed([toSse(events)])))

    expect(error).toMatchObject({ kind: 'protocol', retryable: true })
  })

  test('with the input of a call that is too deep to be written as text fails', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
    const start = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'clock', input: 'DEEP' },
    }
    const text = new TextDecoder().decode(toSse([...good.slice(0, 1), start]))
    const bytes = new TextEncoder().encode(text.replace('"DEEP"', deep))

    const { error } = await failureOf(scripted(() => streamed([bytes])))

    expect(error).toMatchObject({ kind: 'protocol', retryable: true })
  })

  test('without a stop reason is not whole', async () => {
    const events = eventsOf({ ...twoCalls, stopReason: null })

    const { error } = await failureOf(scripted(() => streamed([toSse(events)])))

    expect(error.kind).toBe('truncated_stream')
  })

  test.each(['{"type":"content_bl', 'null', '7', '"text"', '[]'])(
    'with %s as an event fails and prints nothing',
    async (data) => {
      const print = vi.spyOn(console, 'error')
      const bytes = new TextEncoder().encode(`event: content_block_delta\ndata: ${data}\n\n`)

      const { error } = await failureOf(scripted(() => streamed([bytes])))

      expect(error.kind).toBe('protocol')
      expect(print).not.toHaveBeenCalled()
    },
  )

  test('of another type is one all the same if it holds the events', async () => {
    const bytes = toSse(eventsOf(twoCalls))

    const chunks = await collect(scripted(() => streamed([bytes], { type: 'text/plain' })))

    expect(chunks.at(-1)).toMatchObject({ type: 'finish' })
    const part = bytes.subarray(0, 700)
    const { error } = await failureOf(scripted(() => streamed([part], { type: 'text/plain' })))
    expect(error.kind).toBe('truncated_stream')
  })

  test.each([
    ['text/html', '<h1>Log in</h1>'],
    ['application/json', '{"type":"message","content":[]}'],
  ])('of type %s is no answer', async (type, body) => {
    const headers = { 'content-type': type }

    const { error } = await failureOf(scripted(() => new Response(body, { headers })))

    expect(error.kind).toBe('protocol')
    expect(error.message).toContain(type)
  })

  test.each([
    ['', null],
    // What Chromium makes of a 204.
    [' but with a stream', new ReadableStream({ start: (controller) => controller.close() })],
  ])('without a body%s is no answer', async (_, body) => {
    const response = new Response(body, body ? {} : { status: 204 })

    const { error } = await failureOf(scripted(() => response))

    expect(error).toMatchObject({ kind: 'protocol', retryable: true })
  })
})

const question: ModelRequest = {
  system: '',
  messages: [{ id: 'm', parentId: null, role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
}

function scripted(
  respond: () => Response | Promise<Response>,
  options: Partial<AnthropicOptions> = {},
): Model {
  return anthropic({ model: 'claude-test', fetch: async () => respond(), ...options })
}

async function read(
  events: readonly RawEvent[],
  options: { readonly maxTokens?: number } = {},
): Promise<readonly ModelChunk[]> {
  return collect(scripted(() => streamed([toSse(events)]), options))
}

/** Reads an answer as an agent does, with the checks that hold for every model. */
async function collect(model: Model): Promise<readonly ModelChunk[]> {
  const chunks: ModelChunk[] = []
  const accumulate = createAccumulator(() => 'call')
  const { signal } = new AbortController()
  for await (const chunk of model.stream(question, { signal })) {
    accumulate(chunk)
    chunks.push(chunk)
  }
  return chunks
}

async function failureOf(model: Model): Promise<ModelError> {
  const error: unknown = await collect(model).catch((thrown: unknown) => thrown)
  if (error instanceof ModelError) return error
  throw new Error('The stream did not fail with a ModelError.', { cause: error })
}

function deltasOf(chunks: readonly ModelChunk[], contentIndex: number): string {
  return chunks
    .map((chunk) => ('delta' in chunk && chunk.contentIndex === contentIndex ? chunk.delta : ''))
    .join('')
}
