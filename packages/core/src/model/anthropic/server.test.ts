/// <reference types="node" />
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Message } from '../../kernel/message.ts'
import type { RunError } from '../../kernel/run-error.ts'
import { forgetFailures } from '../http/breaker.ts'
import { stream } from '../http/fake-server.fixtures.ts'
import { grammarErrors } from '../model.contract.ts'
import { type ModelChunk, ModelError, type ModelRequest } from '../port.ts'
import { type AnthropicOptions, anthropic } from './anthropic.ts'
import { eventsOf, type RawEvent, type ScriptedAnswer, toSse } from './fake.fixtures.ts'
import {
  type FakeAnthropicServer,
  type Refusal,
  refuse,
  startFakeAnthropic,
} from './fake-server.fixtures.ts'

let server: FakeAnthropicServer
beforeAll(async () => {
  server = await startFakeAnthropic()
})
afterAll(() => server.close())
beforeEach(forgetFailures)

const key = 'sk-canary-0123456789'

describe('over a real connection', () => {
  const answer: ScriptedAnswer = {
    stopReason: 'tool_use',
    blocks: [
      { type: 'thinking', pieces: ['Дві ', 'cities.'], signature: ['si', 'g'] },
      { type: 'tool_use', id: 'toolu_1', name: 'clock', pieces: ['{"city"', ':"Київ"}'] },
      { type: 'tool_use', id: 'toolu_2', name: 'clock', pieces: ['{"city":"Lima"}'] },
    ],
  }

  test('sends what the API expects, with the key as a bearer token', async () => {
    server.enqueue(stream([toSse(eventsOf(answer))]))

    await ask(
      { extraBody: { thinking: { type: 'adaptive' } } },
      { ...question, system: 'Be brief.' },
    )

    const { url, headers, body } = lastSeen()
    expect(url).toBe('/v1/messages')
    expect(headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'anthropic-dangerous-direct-browser-access': 'true',
      'content-type': 'application/json',
    })
    expect(headers).not.toHaveProperty('x-api-key')
    expect(body).toEqual({
      model: 'claude-test',
      max_tokens: 32_000,
      stream: true,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'Time?', cache_control: { type: 'ephemeral' } }],
        },
      ],
      tools: [
        {
          name: 'clock',
          description: 'Tells the time.',
          input_schema: { type: 'object' },
          eager_input_streaming: true,
        },
      ],
      thinking: { type: 'adaptive' },
    })
  })

  test('reads an answer that comes in small pieces, and sends it back with its results', async () => {
    const bytes = toSse(eventsOf(answer))
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) =>
      bytes.subarray(at * 7, at * 7 + 7),
    )
    server.enqueue(stream(pieces), stream([toSse(eventsOf({ blocks: [] }))]))

    const chunks = await ask()
    expect(grammarErrors(chunks)).toEqual([])
    await ask({}, { ...question, messages: [...question.messages, ...turnOf(chunks)] })

    expect(lastSeen().body).toMatchObject({
      messages: [
        {},
        {
          content: [
            { type: 'thinking', thinking: 'Дві cities.', signature: 'sig' },
            { type: 'tool_use', id: 'call-1', name: 'clock', input: { city: 'Київ' } },
            { type: 'tool_use', id: 'call-2', name: 'clock', input: { city: 'Lima' } },
          ],
        },
        { content: [{ tool_use_id: 'call-1' }, { tool_use_id: 'call-2', is_error: true }] },
      ],
    })
  })

  test('distinguishes a cut connection from an answer that ends early', async () => {
    const half = toSse(eventsOf(answer)).subarray(0, 700)
    server.enqueue(stream([half], { ending: 'cut' }), stream([half]))

    expect(await failureOf()).toMatchObject({ kind: 'network', retryable: true })
    expect(await failureOf()).toMatchObject({ kind: 'truncated_stream', retryable: true })
  })

  test('closes the connection when the reader leaves and when the signal is aborted', async () => {
    const closed = [0, 1].map(
      () =>
        new Promise<void>((resolve) => {
          server.enqueue((response) => {
            response.on('close', resolve)
            return stream([toSse(eventsOf(answer).slice(0, 3))], { ending: 'stall' })(response)
          })
        }),
    )
    const reason = new Error('stop')
    const controller = new AbortController()

    for await (const _ of model().stream(question, { signal: new AbortController().signal })) break
    await closed[0]
    const reading = (async () => {
      for await (const _ of model().stream(question, { signal: controller.signal })) {
        controller.abort(reason)
      }
    })()

    await expect(reading).rejects.toBe(reason)
    await closed[1]
  })

  test('says that the server cannot be reached', async () => {
    const error = await failureOf({ baseURL: 'http://127.0.0.1:1' })

    expect(error).toMatchObject({ kind: 'network', retryable: true })
    expect(error.message).toContain('127.0.0.1:1')
    expect(error.message).toContain('CORS')
  })

  test('reports that the device is offline', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    onTestFinished(() => void vi.unstubAllGlobals())

    expect((await failureOf({ baseURL: 'http://127.0.0.1:1' })).message).toContain('offline')
  })

  test('[M7] does not follow a redirect', async () => {
    const before = server.seen.length
    server.enqueue((response) => {
      response.writeHead(307, { location: `${server.baseURL}/v1/messages` })
      response.end()
    })

    expect(await failureOf()).toMatchObject({ kind: 'protocol', retryable: false })
    expect(server.seen).toHaveLength(before + 1)
  })

  test('a request that breaks a rule is refused by name', async () => {
    const broken = { ...question, tools: [{ name: 'my tool', description: '', inputSchema: {} }] }

    const error = await failureOf({}, broken)

    expect(error).toMatchObject({ kind: 'bad_request', status: 400, retryable: false })
    expect(error.message).toContain('The request was refused: [tool_name] ')
  })
})

describe('a count of tokens', () => {
  type Row = [answer: (response: ServerResponse) => void, error: Partial<RunError>]
  const says = (text: string) => (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(text)
  }
  const counts = (tokens: unknown) => says(JSON.stringify({ input_tokens: tokens }))
  const count = (options: Partial<AnthropicOptions> = {}, signal?: AbortSignal) =>
    model(options).countTokens(question, signal && { signal })

  test('is the vendor’s, of the same request', async () => {
    server.enqueue(counts(2095))

    expect(await count({ thinking: { type: 'adaptive' }, maxTokens: 9 })).toBe(2095)

    const { url, headers, body } = lastSeen()
    expect(url).toBe('/v1/messages/count_tokens')
    expect(headers.authorization).toBe(`Bearer ${key}`)
    expect(body).toMatchObject({
      model: 'claude-test',
      tools: [{ name: 'clock' }],
      thinking: { type: 'adaptive' },
    })
  })

  test.each<Row>([
    [
      refuse({ status: 401, type: 'authentication_error', message: key }),
      { kind: 'auth', status: 401 },
    ],
    [
      refuse({ status: 529, type: 'overloaded_error', message: '' }),
      { kind: 'overloaded', retryable: true },
    ],
    ...['many', -1, 2.5, 1e300, undefined].map(
      (tokens): Row => [counts(tokens), { kind: 'protocol', retryable: true }],
    ),
    ...['<h1>Log in</h1>', '{"input_tokens":', '', 'null'].map(
      (text): Row => [says(text), { kind: 'protocol', retryable: true }],
    ),
    [
      (response: ServerResponse) => void response.writeHead(200).end('<h1>Log in</h1>'),
      { kind: 'protocol' },
    ],
    [
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 99 })
        response.write('{"input_tokens":', () => response.destroy())
      },
      { kind: 'network', retryable: true },
    ],
    [(response: ServerResponse) => void response.destroy(), { kind: 'network', retryable: true }],
  ])('fails like an answer: %#', async (answer, expected) => {
    const before = server.seen.length
    server.enqueue(answer)

    const error: unknown = await count().catch((thrown: unknown) => thrown)

    if (!(error instanceof ModelError)) throw error
    expect(error.error).toMatchObject(expected)
    expect(everythingIn(error)).not.toContain('canary')
    expect(server.seen).toHaveLength(before + 1)
  })

  test('does not wait for ever', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const failed = count({ fetch: () => new Promise(() => {}) }).catch((error: unknown) => error)

    await vi.advanceTimersByTimeAsync(60_000)

    expect(await failed).toMatchObject({ error: { kind: 'timeout', retryable: true } })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('can be stopped, and needs something to count', async () => {
    const reason = new Error('stop')
    const controller = new AbortController()
    server.enqueue(() => controller.abort(reason))

    await expect(count({}, controller.signal)).rejects.toBe(reason)
    await expect(model().countTokens({ ...question, messages: [] })).rejects.toMatchObject({
      error: { kind: 'bad_request' },
    })
  })
})

describe('an error of the API', () => {
  const rows: readonly (readonly [Partial<Refusal>, Partial<RunError>, RegExp])[] = [
    [
      { status: 400, message: 'prompt is too long: 9 > 8' },
      { kind: 'context_overflow' },
      /Shorten/,
    ],
    [
      { status: 400, message: 'input length and `max_tokens` exceed context limit' },
      { kind: 'context_overflow' },
      /Shorten/,
    ],
    [{ status: 400, message: 'Your credit balance is too low' }, { kind: 'billing' }, /credit/],
    [{ status: 400, message: 'messages.0: bad' }, { kind: 'bad_request' }, /messages\.0: bad/],
    [{ status: 401 }, { kind: 'auth' }, /enter it again/],
    [{ status: 402 }, { kind: 'billing' }, /credit/],
    [{ status: 403 }, { kind: 'permission' }, /claude-test/],
    [{ status: 404 }, { kind: 'bad_request' }, /"claude-test".*`model` and `baseURL`/],
    [{ status: 408 }, { kind: 'timeout', retryable: true }, /Try again/],
    [{ status: 409 }, { kind: 'overloaded', retryable: true }, /again|wait/i],
    [{ status: 413 }, { kind: 'too_large' }, /smaller/],
    [{ status: 422, message: 'odd' }, { kind: 'bad_request' }, /odd/],
    [{ status: 429 }, { kind: 'rate_limited', retryable: true }, /Wait/],
    [{ status: 429, code: 'enforced_spend_limit_reached' }, { kind: 'billing' }, /spend limit/],
    [{ status: 429, code: 'contract_spend_limit_reached' }, { kind: 'billing' }, /spend limit/],
    [
      { status: 429, headers: { 'x-should-retry': 'false' } },
      { kind: 'rate_limited', retryable: false },
      /Wait/,
    ],
    [{ status: 500 }, { kind: 'overloaded', retryable: true }, /Wait/],
    [{ status: 502 }, { kind: 'overloaded', retryable: true }, /Wait/],
    [{ status: 503 }, { kind: 'overloaded', retryable: true }, /Wait/],
    [{ status: 504 }, { kind: 'overloaded', retryable: true }, /Wait/],
    [{ status: 529 }, { kind: 'overloaded', retryable: true }, /Wait/],
  ]

  test.each(rows)('[M1] [M3] %j becomes %j, once', async (refusal, expected, sentence) => {
    const before = server.seen.length
    server.enqueue(refuse({ status: 0, type: 'some_error', message: `about ${key}`, ...refusal }))

    const error = await failureOf()

    expect(error).toMatchObject({ retryable: false, ...expected, status: refusal.status })
    expect(error.message).toMatch(sentence)
    expect(server.seen).toHaveLength(before + 1)
  })

  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '7', 'retry-after-ms': '1500' }, 1500],
    [{ 'retry-after': '-3' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, undefined],
    [{ 'retry-after': '86401' }, undefined],
    [{ 'retry-after': '99999999' }, undefined],
    [{ 'retry-after-ms': '1e300', 'retry-after': '86400' }, 86_400_000],
    [{}, undefined],
  ])('with %j asks to wait %s ms', async (headers, expected) => {
    server.enqueue(refuse({ status: 429, type: 'rate_limit_error', message: '', headers }))

    expect((await failureOf()).retryAfterMs).toBe(expected)
  })

  test('may name a date to wait for', async () => {
    const date = new Date(Date.now() + 30_000).toUTCString()
    server.enqueue(
      refuse({ status: 529, type: 'x', message: '', headers: { 'retry-after': date } }),
    )

    const { retryAfterMs = 0 } = await failureOf()

    expect(Math.abs(retryAfterMs - 30_000)).toBeLessThan(5000)
  })

  test.each([
    ['overloaded_error', { kind: 'overloaded', retryable: true }],
    ['api_error', { kind: 'overloaded', retryable: true }],
    ['rate_limit_error', { kind: 'rate_limited', retryable: true }],
    ['timeout_error', { kind: 'timeout', retryable: true }],
    ['invalid_request_error', { kind: 'bad_request', retryable: false }],
    ['authentication_error', { kind: 'auth', retryable: false }],
    ['billing_error', { kind: 'billing', retryable: false }],
    ['permission_error', { kind: 'permission', retryable: false }],
    ['request_too_large', { kind: 'too_large', retryable: false }],
    ['constructor', { kind: 'overloaded', retryable: true }],
  ])('of type %s in the middle of a stream becomes %j', async (type, expected) => {
    const start = eventsOf({ blocks: [{ type: 'text', pieces: ['Hi'] }] }).slice(0, 3)
    const event: RawEvent = { type: 'error', error: { type, message: 'Sorry' } }
    server.enqueue(stream([toSse([...start, event])]))

    const error = await failureOf()

    expect(error).toMatchObject(expected)
    expect(error).not.toHaveProperty('status')
  })

  test('that is no JSON is still one', async () => {
    const page = '<h1>Bad gateway</h1>'
    server.enqueue((response) => void response.writeHead(502).end(page))
    server.enqueue(stream([new TextEncoder().encode('event: error\ndata: oops\n\n')]))

    expect(await failureOf()).toMatchObject({ kind: 'overloaded', status: 502 })
    expect(await failureOf()).toMatchObject({ kind: 'overloaded', retryable: true })
  })
})

describe('a key', () => {
  test.each([
    ['as text', key],
    ['from a function', () => key],
    ['from an async function', async () => key],
  ])('%s is sent', async (_, apiKey) => {
    server.enqueue(stream([toSse(eventsOf({ blocks: [] }))]))

    await ask({ apiKey })

    expect(lastSeen().headers.authorization).toBe(`Bearer ${key}`)
  })

  test('is asked for before every request', async () => {
    const apiKey = vi.fn().mockReturnValueOnce('first-key').mockReturnValueOnce('second-key')
    server.enqueue(...[1, 2].map(() => stream([toSse(eventsOf({ blocks: [] }))])))
    const asked = model({ apiKey })

    for (const expected of ['Bearer first-key', 'Bearer second-key']) {
      await collect(asked.stream(question, { signal: new AbortController().signal }))
      expect(lastSeen().headers.authorization).toBe(expected)
    }
  })

  test.each<[string, NonNullable<AnthropicOptions['apiKey']>]>([
    ['with a line break', `${key}\n`],
    ['with a letter that no header takes', `${key}ж`],
    ['that is empty', () => ''],
    ['that cannot be read', () => Promise.reject(new Error(`no ${key}`))],
  ])('%s is not sent, nor shown', async (_, apiKey) => {
    const before = server.seen.length

    const error = await thrownBy({ apiKey })

    expect(error.error).toMatchObject({ kind: 'auth', retryable: false })
    expect(server.seen).toHaveLength(before)
    expect(everythingIn(error)).not.toContain('canary')
  })

  test('[I36] that the server quotes is not shown', async () => {
    const quotes = `${key} and Bearer someone-elses and sk-ant-another`
    server.enqueue(refuse({ status: 400, type: key, message: quotes, code: key }))
    server.enqueue(stream([toSse([{ type: 'error', error: { type: key, message: quotes } }])]))
    server.enqueue(refuse({ status: 400, type: 'x', message: 'token abcdefgh-proxy' }))
    server.enqueue(refuse({ status: 400, type: 'x', message: 'key abcdefgh-own' }))

    const errors = [
      await thrownBy(),
      await thrownBy(),
      await thrownBy({ apiKey: null, headers: { authorization: 'Bearer abcdefgh-proxy' } }),
      await thrownBy({ apiKey: () => 'abcdefgh-own' }),
    ]

    expect(errors[0]?.message).toContain('[secret] and [secret] and [secret]')
    for (const error of errors) {
      expect(everythingIn(error)).not.toMatch(/canary|someone-elses|another|abcdefgh/)
    }
  })

  test('is not needed behind a proxy, and none is looked for', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-from-environment')
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'sk-from-environment')
    onTestFinished(() => void vi.unstubAllEnvs())
    server.enqueue(...[1, 2, 3].map(() => stream([toSse(eventsOf({ blocks: [] }))])))

    await ask({ apiKey: null })
    expect(lastSeen().headers).not.toHaveProperty('authorization')
    await ask({ apiKey: null, headers: { 'X-Session': '1', 'anthropic-version': null } })
    expect(lastSeen().headers).toMatchObject({ 'x-session': '1' })
    expect(lastSeen().headers).not.toHaveProperty('anthropic-version')
    await ask({ apiKey: null, headers: { Authorization: 'Bearer session' } })
    expect(lastSeen().headers.authorization).toBe('Bearer session')
    expect(JSON.stringify(server.seen)).not.toContain('sk-from-environment')
  })

  test('is not needed where a profile for command lines is set up', async () => {
    vi.stubEnv('ANTHROPIC_PROFILE', 'missing')
    onTestFinished(() => void vi.unstubAllEnvs())
    server.enqueue(stream([toSse(eventsOf({ blocks: [] }))]))

    expect(await ask({ apiKey: null })).toHaveLength(1)
  })

  test('[M7] goes only where the options say', async () => {
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:1')
    onTestFinished(() => void vi.unstubAllEnvs())
    const fetch = vi.fn(async (_: unknown) => new Response(toSse(eventsOf({ blocks: [] })).slice()))

    await collect(
      anthropic({ model: 'claude-test', apiKey: key, fetch }).stream(question, {
        signal: new AbortController().signal,
      }),
    )

    expect(fetch.mock.calls[0]?.[0]).toBe('https://api.anthropic.com/v1/messages')
  })

  test('is not asked for if the signal is aborted already', async () => {
    const apiKey = vi.fn(() => key)
    const reason = new Error('stop')

    const reading = collect(
      model({ apiKey }).stream(question, { signal: AbortSignal.abort(reason) }),
    )

    await expect(reading).rejects.toBe(reason)
    expect(apiKey).not.toHaveBeenCalled()
  })

  test('that takes for ever does not outlive an abort', async () => {
    const reason = new Error('stop')
    const controller = new AbortController()
    const apiKey = () => {
      controller.abort(reason)
      return new Promise<string>(() => {})
    }

    const reading = collect(model({ apiKey }).stream(question, { signal: controller.signal }))

    await expect(reading).rejects.toBe(reason)
  })
})

describe('misuse', () => {
  test.each([{}, { apiKey: null }, { apiKey: '' }])(
    'without a way to answer (%j) throws',
    (options) => {
      expect(() => anthropic({ model: 'claude-test', ...options })).toThrow(
        /apiKey.*baseURL.*fetch/,
      )
    },
  )

  test('a relative baseURL needs a page', async () => {
    const options = { model: 'claude-test', baseURL: '/api/claude' }
    expect(() => anthropic(options)).toThrow(/must begin with https/)

    vi.stubGlobal('location', { origin: 'https://page.example' })
    onTestFinished(() => void vi.unstubAllGlobals())
    const fetch = vi.fn(async (_: unknown) => new Response(toSse(eventsOf({ blocks: [] })).slice()))
    const { signal } = new AbortController()
    await collect(anthropic({ ...options, fetch }).stream(question, { signal }))

    expect(fetch.mock.calls[0]?.[0]).toBe('https://page.example/api/claude/v1/messages')
  })

  test('an empty conversation and a broken header fail before anything is sent', async () => {
    const before = server.seen.length

    expect(await failureOf({}, { ...question, messages: [] })).toMatchObject({
      kind: 'bad_request',
    })
    const error = await thrownBy({ headers: { 'x-secret': 'canary\n1' } })

    expect(error.error.kind).toBe('bad_request')
    expect(everythingIn(error)).not.toContain('canary')
    expect(server.seen).toHaveLength(before)
  })
})

const question: ModelRequest = {
  system: '',
  messages: [
    { id: 'm1', parentId: null, role: 'user', content: [{ type: 'text', text: 'Time?' }] },
  ],
  tools: [{ name: 'clock', description: 'Tells the time.', inputSchema: { type: 'object' } }],
}

function model(options: Partial<AnthropicOptions> = {}) {
  return anthropic({ model: 'claude-test', apiKey: key, baseURL: server.baseURL, ...options })
}

function ask(options: Partial<AnthropicOptions> = {}, request = question) {
  return collect(model(options).stream(request, { signal: new AbortController().signal }))
}

async function collect(chunks: AsyncIterable<ModelChunk>): Promise<readonly ModelChunk[]> {
  const collected: ModelChunk[] = []
  for await (const chunk of chunks) collected.push(chunk)
  return collected
}

async function thrownBy(
  options: Partial<AnthropicOptions> = {},
  request = question,
): Promise<ModelError> {
  const error: unknown = await ask(options, request).catch((thrown: unknown) => thrown)
  if (error instanceof ModelError) return error
  throw new Error('The stream did not fail with a ModelError.', { cause: error })
}

async function failureOf(
  options: Partial<AnthropicOptions> = {},
  request = question,
): Promise<RunError> {
  return (await thrownBy(options, request)).error
}

test.each(['stall', 'end'] as const)(
  '[M10] an answer with a reason for its end is complete, and its connection may %s',
  async (ending) => {
    const events = eventsOf({ blocks: [{ type: 'text', pieces: ['Hi.'] }] })
    server.enqueue(stream([toSse(events.slice(0, -1))], { ending }))

    expect((await ask()).at(-1)).toMatchObject({ type: 'finish', stopReason: 'stop' })
  },
)

function lastSeen() {
  const last = server.seen.at(-1)
  if (!last) throw new Error('The server has seen no request.')
  return last
}

/** All that an error could show: its text, its data, its stack and what caused it. */
function everythingIn(error: Error): string {
  const { message, stack, cause } = error
  return JSON.stringify([message, stack, error, String(cause)])
}

/** The turn that a runtime would make of an answer with calls. */
function turnOf(chunks: readonly ModelChunk[]): readonly Message[] {
  const place = { parentId: null, id: 'm2' }
  const text = (type: string, index: number) =>
    chunks
      .map((c) => (c.type === type && 'delta' in c && c.contentIndex === index ? c.delta : ''))
      .join('')
  const ends = chunks.filter((chunk) => chunk.type === 'thinking_end')
  const calls = [1, 2].map((index) => ({
    type: 'toolCall' as const,
    toolCallId: `call-${index}`,
    toolName: 'clock',
    argsText: text('toolcall_delta', index),
  }))
  const signature = ends[0]?.signature ?? ''
  const thinking = { type: 'thinking' as const, text: text('thinking_delta', 0), signature }
  return [
    {
      ...place,
      role: 'assistant',
      model: { provider: 'anthropic', id: 'claude-test' },
      content: [thinking, ...calls],
    },
    ...calls.map(({ toolCallId, toolName }, index) => ({
      ...place,
      role: 'toolResult' as const,
      toolCallId,
      toolName,
      content: [{ type: 'text' as const, text: '12:00' }],
      isError: index === 1,
    })),
  ]
}
