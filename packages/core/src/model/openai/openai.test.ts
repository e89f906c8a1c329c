import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { responseIn, streamed } from '../http/streamed.fixtures.ts'
import { grammarErrors, modelContract } from '../model.contract.ts'
import { collect, failureOf, question, read, scripted, summaryOf } from './ask.fixtures.ts'
import {
  chunk,
  type RawEvent,
  sentTwoCalls,
  toSse,
  twoCalls,
  usage,
  usageChunk,
} from './fake.fixtures.ts'
import { type OpenAIOptions, openai } from './openai.ts'

modelContract('openai', (situation) => scripted(() => responseIn(situation, sentTwoCalls)))

describe('an answer', () => {
  test('[S002-6] [S002-10] of text and two calls comes as chunks, deltas unjoined', async () => {
    expect(await read(twoCalls)).toEqual([
      { type: 'text_start', contentIndex: 0 },
      { type: 'text_delta', contentIndex: 0, delta: 'Ich schaue ' },
      { type: 'text_delta', contentIndex: 0, delta: 'nach 🕰️.' },
      { type: 'text_end', contentIndex: 0 },
      { type: 'toolcall_start', contentIndex: 1, toolName: 'clock', providerId: 'call_1' },
      { type: 'toolcall_delta', contentIndex: 1, delta: '{"city":' },
      { type: 'toolcall_delta', contentIndex: 1, delta: '"Київ"}' },
      { type: 'toolcall_start', contentIndex: 2, toolName: 'clock', providerId: 'call_2' },
      { type: 'toolcall_delta', contentIndex: 2, delta: '{"city":"Lima"}' },
      { type: 'toolcall_end', contentIndex: 1 },
      { type: 'toolcall_end', contentIndex: 2 },
      { type: 'finish', stopReason: 'tool_use', usage: { inputTokens: 10, outputTokens: 20 } },
    ])
  })

  test.each<[string, readonly object[]]>([
    ['reasoning_content', [{ reasoning_content: 'Two ' }, { reasoning_content: 'cities.' }]],
    [
      'reasoning',
      [
        { reasoning: 'Two ', content: '' },
        { reasoning: 'cities.', content: null },
      ],
    ],
    [
      'reasoning and reasoning_details, the same in both',
      [
        { reasoning: 'Two ', reasoning_details: [{ type: 'reasoning.text', text: 'Two ' }] },
        { reasoning: 'cities.', reasoning_content: 'cities.' },
      ],
    ],
    [
      'reasoning_details alone',
      [
        { reasoning: null, reasoning_details: [{ type: 'reasoning.text', text: 'Two ' }] },
        { reasoning_details: [{ type: 'reasoning.encrypted', data: 'gibberish' }] },
        { reasoning_details: [{ type: 'reasoning.summary', summary: 'cities.' }] },
      ],
    ],
    [
      'a list of parts',
      [
        { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Two ' }] }] },
        { content: [{ type: 'thinking', thinking: 'cities.' }] },
      ],
    ],
  ])('thinks in %s', async (_, deltas) => {
    const chunks = await read([
      ...deltas.map((delta) => chunk(delta)),
      chunk({ content: 'Yes.' }),
      chunk({}, 'stop'),
    ])

    expect(grammarErrors(chunks)).toEqual([])
    expect(summaryOf(chunks)).toEqual(['thinking: Two cities.', 'text: Yes.'])
    expect(chunks.find(({ type }) => type === 'thinking_end')).not.toHaveProperty('signature')
  })

  test('keeps tags of thinking as text, and thinks and talks in turns', async () => {
    const chunks = await read([
      chunk({ content: '<think>a</think>' }),
      chunk({ reasoning: 'b' }),
      chunk({ content: 'c' }),
      chunk({}, 'stop'),
    ])

    expect(summaryOf(chunks)).toEqual(['text: <think>a</think>', 'thinking: b', 'text: c'])
  })

  test.each([null, '', undefined, []])('says nothing with %j as content', async (content) => {
    const chunks = await read([chunk({ role: 'assistant', content }), chunk({ content }, 'stop')])

    expect(chunks).toMatchObject([{ type: 'finish', stopReason: 'stop' }])
  })

  test('may say something in a list of parts', async () => {
    const content = [{ type: 'text', text: 'a' }, { type: 'reference' }, { text: 'b' }]

    expect(summaryOf(await read([chunk({ content }, 'stop')]))).toEqual(['text: ab'])
  })

  test('may continue after its reason to stop, and after its calls', async () => {
    const call = { index: 0, id: 'a', function: { name: 'clock', arguments: '{}' } }
    const chunks = await read([
      chunk({ tool_calls: [call] }),
      chunk({ content: 'Wait' }, 'tool_calls'),
      chunk({ content: '.' }, null),
      chunk({}, 'stop'),
    ])

    expect(grammarErrors(chunks)).toEqual([])
    expect(summaryOf(chunks)).toEqual(['clock a: {}', 'text: Wait.'])
    expect(chunks.at(-1)).toMatchObject({ stopReason: 'tool_use' })
  })

  test('is that of the first choice, whatever others there are', async () => {
    const choices = [
      { index: 1, delta: { content: 'no' }, finish_reason: 'length' },
      { index: 0, delta: { content: 'yes' }, finish_reason: null },
    ]
    const chunks = await read([
      { choices },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      { choices: [{ index: 1, delta: {}, finish_reason: 'length' }] },
    ])

    expect(summaryOf(chunks)).toEqual(['text: yes'])
    expect(chunks.at(-1)).toMatchObject({ stopReason: 'stop' })
  })

  test('may have events that say nothing', async () => {
    const chunks = await read([
      { object: 'weather.report', sunny: true },
      { choices: null, error: null },
      { choices: [], prompt_filter_results: [] },
      chunk(null),
      '',
      chunk({ content: 'a' }, 'stop'),
      { choices: [{ index: 0, finish_reason: null }] },
    ])

    expect(summaryOf(chunks)).toEqual(['text: a'])
  })
})

describe('why it stops', () => {
  const calls = [{ index: 0, id: 'a', function: { name: 'clock', arguments: '{}' } }]

  test.each([
    ['stop', 'stop', 'tool_use'],
    ['length', 'max_tokens', 'max_tokens'],
    ['tool_calls', 'stop', 'tool_use'],
    ['function_call', 'stop', 'tool_use'],
    ['content_filter', 'refusal', 'refusal'],
    ['content_filter: PROHIBITED_CONTENT', 'refusal', 'refusal'],
    ['model_length', 'context_overflow', 'context_overflow'],
    ['STOP', 'stop', 'tool_use'],
    ['MAX_TOKENS', 'max_tokens', 'max_tokens'],
    ['something_new', 'stop', 'stop'],
    ['constructor', 'stop', 'stop'],
  ])('%s is %s, and with calls %s', async (reason, bare, calling) => {
    expect(await read([chunk({}, reason)])).toMatchObject([{ type: 'finish', stopReason: bare }])
    const chunks = await read([chunk({ tool_calls: calls }, reason)])
    expect(chunks.at(-1)).toMatchObject({ stopReason: calling })
  })

  test.each([
    ['length', 'stop', 'max_tokens'],
    ['stop', 'length', 'max_tokens'],
    ['tool_calls', 'stop', 'tool_use'],
    ['length', 'tool_calls', 'max_tokens'],
    ['tool_calls', 'length', 'max_tokens'],
    ['max_tokens', 'tool_calls', 'max_tokens'],
    ['content_filter', 'function_call', 'refusal'],
  ])('[M10] %s and then %s is %s', async (first, second, expected) => {
    const chunks = await read([chunk({ tool_calls: calls }, first), chunk({}, second)])

    expect(chunks.at(-1)).toMatchObject({ stopReason: expected })
  })

  test.each([{ refusal: 'I cannot ' }, { content: [{ type: 'refusal', refusal: 'I cannot ' }] }])(
    'a refusal (%j) explains itself, and runs nothing',
    async (delta) => {
      const chunks = await read([
        chunk(delta),
        chunk({ refusal: 'help.', tool_calls: calls }, 'stop'),
      ])

      expect(chunks.at(-1)).toMatchObject({
        stopReason: 'refusal',
        explanation: 'I cannot help.',
      })
    },
  )

  test.each<[Partial<OpenAIOptions>, number, string]>([
    [{ maxTokens: 20 }, 20, 'max_tokens'],
    [{ maxTokens: 20 }, 21, 'max_tokens'],
    [{ maxTokens: 20 }, 19, 'tool_use'],
    [{ extraBody: { max_completion_tokens: 20 } }, 20, 'max_tokens'],
    [{ maxTokens: 9, extraBody: { max_completion_tokens: 20 } }, 19, 'tool_use'],
    [{}, 1_000_000, 'tool_use'],
  ])('with %j, %s tokens of calls are %s', async (options, completion_tokens, expected) => {
    for (const reason of ['tool_calls', 'stop']) {
      const chunks = await read(
        [chunk({ tool_calls: calls }, reason), usageChunk({ prompt_tokens: 1, completion_tokens })],
        options,
      )
      expect(chunks.at(-1)).toMatchObject({ stopReason: expected })
    }
  })
})

describe('usage', () => {
  const end: RawEvent = chunk({}, 'stop')
  const choice = { index: 0, delta: {}, finish_reason: 'stop' }
  const early = { prompt_tokens: 10, completion_tokens: 1 }

  test.each<[string, readonly RawEvent[]]>([
    ['after the last choice', [end, usageChunk(usage)]],
    ['with the last choice', [{ choices: [choice], usage }]],
    ['inside of the last choice', [{ choices: [{ ...choice, usage }] }]],
    [
      'with every event',
      [
        { choices: [], usage: early },
        { choices: [choice], usage },
      ],
    ],
    ['beside a null', [end, usageChunk(usage), { choices: [], usage: null }]],
    ['without choices', [end, { usage }]],
  ])('may come %s', async (_, events) => {
    expect((await read(events)).at(-1)).toMatchObject({
      usage: { inputTokens: 10, outputTokens: 20 },
    })
  })

  test('that never comes, or is no number, is not made up', async () => {
    const wrong = usageChunk({ prompt_tokens: '9', completion_tokens: -1, cost: null })
    const price = { input: 1, output: 1 }

    for (const events of [[end], [end, wrong]]) {
      expect((await read(events, { price })).at(-1)).toEqual({
        type: 'finish',
        stopReason: 'stop',
        usage: { inputTokens: 0, outputTokens: 0 },
      })
    }
  })

  test.each([
    { prompt_tokens_details: { cached_tokens: 900 } },
    { prompt_cache_hit_tokens: 900 },
    { cached_tokens: 900 },
  ])('has what the cache knew apart: %j', async (details) => {
    const event = usageChunk({ prompt_tokens: 1000, completion_tokens: 20, ...details })

    expect((await read([end, event])).at(-1)).toMatchObject({
      usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 900 },
    })
  })

  test('never has less than no input', async () => {
    const event = usageChunk({ prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 99 } })

    expect((await read([end, event])).at(-1)).toMatchObject({
      usage: { inputTokens: 0, cacheReadTokens: 10 },
    })
  })

  test('costs what the server says, or else what the price says', async () => {
    const price = { input: 2, output: 10, cacheRead: 0.5 }
    const million = {
      prompt_tokens: 3_000_000,
      completion_tokens: 1_000_000,
      prompt_tokens_details: { cached_tokens: 2_000_000 },
    }
    const usageOf = async (events: readonly RawEvent[], options: Partial<OpenAIOptions> = {}) => {
      const last = (await read(events, options)).at(-1)
      return last?.type === 'finish' ? last.usage : null
    }
    const costOf = async (...request: Parameters<typeof usageOf>) =>
      (await usageOf(...request))?.cost

    expect(await costOf([end, usageChunk(million)], { price })).toBe(13)
    expect(await costOf([end, usageChunk({ ...million, cost: 0.5 })], { price })).toBe(0.5)
    expect(await costOf([end, usageChunk({ ...million, cost: 0 })])).toBe(0)
    expect(await costOf([end, usageChunk(million)])).toBeUndefined()
    const stated = await usageOf([end, usageChunk({ ...million, cost: 0.5 })], { price })
    expect(stated?.isCostReported).toBe(true)
    const estimated = await usageOf([end, usageChunk(million)], { price })
    expect(estimated).not.toHaveProperty('isCostReported')
  })

  test('has a cost if a price is known or the server states one', () => {
    const reports = (options: Partial<OpenAIOptions>) =>
      openai({ model: 'm', apiKey: 'k', ...options }).reportsCost

    expect(reports({})).toBe(false)
    expect(reports({ price: { input: 1, output: 1 } })).toBe(true)
    expect(reports({ baseURL: 'https://openrouter.ai/api/v1' })).toBe(true)
    expect(reports({ baseURL: 'https://notopenrouter.ai/api/v1' })).toBe(false)
  })
})

describe('the end of a stream', () => {
  const events = twoCalls.slice(0, -2)

  test.each<[string, readonly RawEvent[], boolean]>([
    ['without a reason', events, false],
    ['without a reason, but with [DONE]', events, true],
    ['with usage in place of a reason', [...events, usageChunk(usage)], true],
    ['before anything', [], false],
    ['before anything but [DONE]', [], true],
  ])('%s is too early', async (_, events, done) => {
    const error = await failureOf(collect(scripted(() => streamed([toSse(events, { done })]))))

    expect(error).toMatchObject({ kind: 'truncated_stream', retryable: true })
  })

  test('of an answer that came whole is too early without a reason', async () => {
    const body = '{"choices":[{"message":{"content":"a"},"finish_reason":null}]}'
    const error = await failureOf(collect(scripted(() => new Response(body))))

    expect(error).toMatchObject({ kind: 'truncated_stream', retryable: true })
  })

  test('needs no [DONE] after a reason, and no line break after the last event', async () => {
    const whole = await read(twoCalls)
    const bytes = toSse(twoCalls, { done: false })

    for (const less of [0, 1, 2]) {
      const body = bytes.subarray(0, bytes.length - less)
      expect(await collect(scripted(() => streamed([body])))).toEqual(whole)
    }
  })

  test('is [DONE], whatever follows and however long the connection stays', async () => {
    const after = 'data: {"error":"late"}\n\ndata: nonsense\n\n'
    const body = [toSse(twoCalls), new TextEncoder().encode(after)]

    expect(await collect(scripted(() => streamed(body)))).toEqual(await read(twoCalls))
    const open = scripted(() => streamed([toSse(twoCalls)], { ending: 'wait' }))
    expect(await collect(open)).toEqual(await read(twoCalls))
  })

  test.each([{}, { role: 'assistant', content: '', tool_calls: [] }, { content: null }])(
    '[M10] comes one second after its reason, however often that is repeated with %j',
    async (delta) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const again = toSse([chunk(delta, 'tool_calls')], { done: false })
      const body = [toSse(twoCalls, { done: false }), again]

      const chunks = await collect(scripted(() => streamed(body, { ending: 'repeat' })))

      expect(chunks).toEqual(await read(twoCalls))
    },
  )

  test('comes later on a server that states its reason with every event', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const deltas = [{ content: 'a' }, { reasoning_content: 'b' }, { tool_calls: [call] }]

    for (const delta of deltas) {
      const piece = toSse([chunk(delta, 'stop')], { done: false })
      const response = streamed([piece], { ending: 'repeat' })
      const { signal } = new AbortController()
      let heard = 0
      for await (const one of scripted(() => response).stream(question, { signal })) {
        heard += Number(one.type.endsWith('_delta'))
        if (heard > 10) break
      }
      expect(heard).toBe(11)
    }
  })

  test('[M8] gives the page its turn before each piece of a delta of megabytes', async () => {
    let turns = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      turns += 1
      return 0
    })
    onTestFinished(() => clock.mockRestore())
    const body = [toSse([chunk({ content: 'x'.repeat(1_000_000) }, 'stop')])]
    let before = 0
    const { signal } = new AbortController()

    for await (const one of scripted(() => streamed(body)).stream(question, { signal })) {
      if (one.type === 'text_delta') expect(turns).toBeGreaterThan(before)
      before = turns
    }
  })

  test('of the connection after a reason is still a failure', async () => {
    const bytes = toSse(twoCalls, { done: false })

    const error = await failureOf(collect(scripted(() => streamed([bytes], { ending: 'break' }))))

    expect(error).toMatchObject({ kind: 'network', retryable: true })
  })

  const call = { index: 0, id: 'a', function: { name: 'clock', arguments: '{"city":"Київ"}' } }
  const brief: readonly RawEvent[] = [
    { choices: [{ delta: { content: '🕰️' } }] },
    { choices: [{ delta: { tool_calls: [call] } }] },
    { choices: [{ delta: {}, finish_reason: 'stop' }] },
    usageChunk(usage),
  ]

  test('splits at every byte change nothing', async () => {
    const bytes = toSse(brief)
    const whole = await read(brief)

    for (let at = 1; at < bytes.length; at += 1) {
      const pieces = [bytes.subarray(0, at), bytes.subarray(at)]
      expect(await collect(scripted(() => streamed(pieces)))).toEqual(whole)
    }
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect(await collect(scripted(() => streamed(single)))).toEqual(whole)
  })

  test('[M2] cuts at every byte give the whole answer or a failure', async () => {
    const bytes = toSse(brief)
    const whole = await read(brief)
    const withoutUsage = whole.map((chunk) =>
      chunk.type === 'finish' ? { ...chunk, usage: { inputTokens: 0, outputTokens: 0 } } : chunk,
    )

    const outcomes = new Set<string>()
    for (let end = 0; end < bytes.length; end += 1) {
      const reading = collect(scripted(() => streamed([bytes.subarray(0, end)])))
      const chunks = await reading.catch(() => null)
      if (chunks) expect([whole, withoutUsage]).toContainEqual(chunks)
      outcomes.add(chunks ? 'whole' : (await failureOf(reading)).kind)
    }

    expect(outcomes).toEqual(new Set(['truncated_stream', 'whole']))
  })

  test('other line ends, comments, fields and a mark at the beginning change nothing', async () => {
    const text = new TextDecoder().decode(toSse(twoCalls))
    const noisy = text.replaceAll(
      'data: ',
      ': alive\n\nid: 7\nretry: 5\nevent: message\nmood: blue\ndata:',
    )

    for (const version of [
      noisy,
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('\n', '\r'),
      `\uFEFF${text}`,
    ]) {
      const body = new TextEncoder().encode(version)
      expect(await collect(scripted(() => streamed([body])))).toEqual(await read(twoCalls))
    }
  })
})

describe('a response without an answer', () => {
  const text =
    (body: string, type = 'text/event-stream') =>
    () =>
      new Response(body, { headers: { 'content-type': type } })
  const events =
    (...list: readonly RawEvent[]) =>
    () =>
      streamed([toSse(list)])

  test.each<[string, () => Response, RegExp]>([
    ['data that is not JSON', events(chunk({ content: 'a' }), '{"choices":[{'), /no object/],
    ['an event that is no object', events('7'), /no object/],
    ['choices that are no list', events({ choices: 'many' }), /choices/],
    ['a choice that is no object', events({ choices: [null] }), /choices/],
    ['calls that are no list', events(chunk({ tool_calls: 'x' })), /tool_calls/],
    ['a call that is no object', events(chunk({ tool_calls: ['x'] })), /tool_calls/],
    ['content of no known kind', events(chunk({ content: 7 })), /content/],
    [
      'a call without a name',
      events(chunk({ tool_calls: [{ index: 0, id: 'a', function: { arguments: '{}' } }] }, 'stop')),
      /no name/,
    ],
    [
      'a page',
      text('\n<!doctype html><p>Hi', 'text/html'),
      /api\.openai\.com answered with text\/html/,
    ],
    ['a page that says it is a stream', text('<html>'), /api\.openai\.com answered/],
    ['a plain text', text('Hello.', 'text/plain'), /text\/plain/],
    ['nothing', () => new Response(null, { status: 204 }), /nothing/],
    ['JSON that is no answer', text('{"hello":1}', 'application/json'), /application\/json/],
    ['a list', text('[]', 'application/json'), /no object/],
    ['JSON that is torn', text('{"choices":[', 'application/json'), /no object/],
  ])('%s', async (_, response, sentence) => {
    const error = await failureOf(collect(scripted(response)))

    expect(error).toMatchObject({ kind: 'protocol', retryable: true })
    expect(error.message).toMatch(sentence)
  })

  test('an error in a list says what it means, as without one', async () => {
    const list = '[{"error":{"code":401,"message":"API key not valid"}}]'
    const body = [text(list, 'application/json'), text(list), text(`data: ${list}\n\n`)]

    const errors = await Promise.all(body.map((one) => failureOf(collect(scripted(one)))))

    expect(errors.map(({ kind }) => kind)).toEqual(['auth', 'auth', 'auth'])
  })

  test.each([
    ['a line', 'data: '],
    ['an event', `data: ${'a'.repeat(999)}\n`],
    ['a comment', ': '],
    ['an answer that comes whole', '{"\n'],
  ])('%s without an end', async (_, beginning) => {
    const kilobytes = new TextEncoder().encode(beginning.repeat(262_144 / beginning.length))
    const read = vi.fn(() => kilobytes)
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(read().slice()),
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      )
    const longest = 8 * 1024 * 1024

    const error = await failureOf(collect(scripted(endless)))

    expect(error).toMatchObject({ kind: 'protocol', retryable: true })
    expect(read.mock.calls.length * kilobytes.length).toBeGreaterThan(longest)
    expect(read.mock.calls.length * kilobytes.length).toBeLessThan(6 * longest)
  })
})

describe('a server that does not stream', () => {
  const answer = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Wait.',
          reasoning_content: 'Hm.',
          tool_calls: [
            {
              id: 'a',
              type: 'function',
              function: { name: 'clock', arguments: '{"city":"Київ"}' },
            },
            { id: 'b', type: 'function', function: { name: 'clock', arguments: '' } },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage,
  }

  test.each(['application/json', 'text/event-stream', 'text/plain; charset=utf-8'])(
    'is understood as %s',
    async (type) => {
      const body = new TextEncoder().encode(`\n ${JSON.stringify(answer, null, 2)}`)
      const pieces = [body.subarray(0, 1), body.subarray(1, 300), body.subarray(300)]

      const chunks = await collect(scripted(() => streamed(pieces, { type })))

      expect(grammarErrors(chunks)).toEqual([])
      expect(summaryOf(chunks)).toEqual([
        'thinking: Hm.',
        'text: Wait.',
        'clock a: {"city":"Київ"}',
        'clock b: ',
      ])
      expect(chunks.at(-1)).toEqual({
        type: 'finish',
        stopReason: 'tool_use',
        usage: { inputTokens: 10, outputTokens: 20 },
      })
    },
  )

  test('may send it as the last event of a stream, also if all of it, or a beginning, was said before', async () => {
    expect(summaryOf(await read([answer]))).toHaveLength(4)
    expect(summaryOf(await read([chunk({ content: 'Wait.' }), answer]))).toEqual(['text: Wait.'])
    const beginning = { choices: [{ index: 0, message: { content: 'Wa' } }] }
    expect(summaryOf(await read([beginning, answer]))).toEqual(summaryOf(await read([answer])))
  })

  test.each(['utf16le', 'latin1'] as const)(
    '[M11] quotes no key to a page when it refuses in %s',
    async (charset) => {
      const apiKey = 'sk-canary-of-a-person-1234'
      for (const sign of ['', '\ufeff']) {
        const said = `${sign}{"error":{"message":"${apiKey} is not known"}}`
        const body = new Uint8Array(Buffer.from(said, charset))
        const refusing = scripted(() => new Response(body, { status: 400 }), { apiKey })

        const { message } = await failureOf(collect(refusing))

        expect(message.replaceAll('\0', '')).toMatch(/\[secret\] is not known/)
      }
    },
  )

  test.each([
    ["Invalid 'user': Expected a string with maximum length 64, but got 70.", 'bad_request'],
    ["This model's maximum context length is 4096 tokens.", 'context_overflow'],
  ])('that is refused with %j becomes %s', async (message, kind) => {
    const body = JSON.stringify({ error: { message } })
    const refusing = scripted(() => new Response(body, { status: 400 }))

    expect(await failureOf(collect(refusing))).toMatchObject({ kind, retryable: false })
  })

  test('may report an error with a good status', async () => {
    const body = JSON.stringify({ error: { message: 'Too busy.', code: 529 } })

    expect(await failureOf(collect(scripted(() => new Response(body))))).toMatchObject({
      kind: 'overloaded',
      retryable: true,
    })
  })
})
