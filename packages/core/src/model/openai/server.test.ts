import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { RunError } from '../../kernel/run-error.ts'
import { forgetFailures } from '../http/breaker.ts'
import { stream } from '../http/fake-server.fixtures.ts'
import { grammarErrors } from '../model.contract.ts'
import type { ModelChunk, ModelRequest } from '../port.ts'
import { collect, failureOf, question, summaryOf, thrownBy } from './ask.fixtures.ts'
import { callsChunk, chunk, type RawEvent, toSse, twoCalls } from './fake.fixtures.ts'
import { type FakeOpenAIServer, refuse, startFakeOpenAI } from './fake-server.fixtures.ts'
import { type OpenAIOptions, openai } from './openai.ts'
import type { OpenAIExtraBody } from './request.ts'

let server: FakeOpenAIServer
beforeAll(async () => {
  server = await startFakeOpenAI()
})
afterAll(() => server.close())
beforeEach(forgetFailures)

const key = 'sk-canary-0123456789'
const done = stream([toSse([chunk({ content: 'Hi.' }, 'stop')])])

describe('over a real connection', () => {
  test('sends what the API expects, with the key as a bearer token', async () => {
    server.enqueue(done)

    await ask(
      {
        maxTokens: 100,
        reasoningEffort: 'low',
        toolChoice: { name: 'clock' },
        extraBody: { temperature: 0, parallel_tool_calls: false },
      },
      { ...question, system: 'Be brief.' },
    )

    const { method, url, headers, body } = lastSeen()
    expect([method, url]).toEqual(['POST', '/v1/chat/completions'])
    expect(headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
    })
    expect(headers).not.toHaveProperty('cookie')
    expect(body).toEqual({
      model: 'gpt-test',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 100,
      reasoning_effort: 'low',
      tool_choice: { type: 'function', function: { name: 'clock' } },
      temperature: 0,
      parallel_tool_calls: false,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Time?' },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'clock',
            description: 'Tells the time.',
            parameters: { type: 'object' },
          },
        },
      ],
    })
  })

  test('sends no more than it must', async () => {
    server.enqueue(done)

    await ask(
      { toolChoice: 'required', extraBody: { stream_options: undefined } },
      { ...question, tools: [] },
    )

    expect(lastSeen().body).toEqual({
      model: 'gpt-test',
      stream: true,
      messages: [{ role: 'user', content: 'Time?' }],
    })
  })

  test('lets nothing be added that comes from the conversation', async () => {
    server.enqueue(done)
    // @ts-expect-error: these fields cannot be set.
    const extraBody: OpenAIExtraBody = { model: 'x', stream: false, messages: [], tools: [] }

    await ask({ extraBody })

    expect(lastSeen().body).toMatchObject({
      model: 'gpt-test',
      stream: true,
      messages: [{}],
      tools: [{}],
    })
  })

  test.each([
    ['https://api.openai.com/v1', 'max_completion_tokens'],
    ['https://eu.api.openai.com/v1', 'max_completion_tokens'],
    ['https://mine.openai.azure.com/openai/v1', 'max_completion_tokens'],
    ['https://notopenai.com/v1', 'max_tokens'],
    ['https://api.mistral.ai/v1', 'max_tokens'],
    ['http://localhost:11434/v1', 'max_tokens'],
  ])('limits the answer of %s by %s', async (baseURL, field) => {
    const fetch = scriptedFetch()

    await collect(openai({ model: 'gpt-test', baseURL, maxTokens: 7, fetch }))

    const body: unknown = JSON.parse(String(fetch.mock.calls[0]?.[1]?.body))
    expect(body).toHaveProperty(field, 7)
    expect(JSON.stringify(body).match(/max_/g)).toHaveLength(1)
  })

  test('reads an answer that comes in small pieces', async () => {
    const bytes = toSse(twoCalls)
    const pieces = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, at) =>
      bytes.subarray(at * 7, at * 7 + 7),
    )
    server.enqueue(stream(pieces))

    const chunks = await ask()

    expect(grammarErrors(chunks)).toEqual([])
    expect(summaryOf(chunks)).toEqual([
      'text: Ich schaue nach 🕰️.',
      'clock call_1: {"city":"Київ"}',
      'clock call_2: {"city":"Lima"}',
    ])
  })

  test('distinguishes a cut connection from an answer that ends early', async () => {
    const half = toSse(twoCalls).subarray(0, 700)
    server.enqueue(stream([half], { ending: 'cut' }), stream([half]))

    expect(await failureOf(ask())).toMatchObject({ kind: 'network', retryable: true })
    expect(await failureOf(ask())).toMatchObject({ kind: 'truncated_stream', retryable: true })
  })

  test('closes the connection when the reader leaves, after [DONE] and when the signal is aborted', async () => {
    const closed = [twoCalls.slice(0, 3), [chunk({}, 'stop'), '[DONE]'], twoCalls.slice(0, 3)].map(
      (events) =>
        new Promise<void>((resolve) => {
          server.enqueue((response) => {
            response.on('close', resolve)
            return stream([toSse(events, { done: false })], { ending: 'stall' })(response)
          })
        }),
    )
    const reason = new Error('stop')
    const controller = new AbortController()

    for await (const _ of model().stream(question, { signal: new AbortController().signal })) break
    await closed[0]
    await ask()
    await closed[1]
    const reading = (async () => {
      for await (const _ of model().stream(question, { signal: controller.signal })) {
        controller.abort(reason)
      }
    })()

    await expect(reading).rejects.toBe(reason)
    await closed[2]
  })

  test('says that the server cannot be reached', async () => {
    const error = await failureOf(ask({ baseURL: 'http://127.0.0.1:1/v1' }))

    expect(error).toMatchObject({ kind: 'network', retryable: true })
    expect(error.message).toContain('127.0.0.1:1')
  })

  test('[M7] does not follow a redirect', async () => {
    const before = server.seen.length
    server.enqueue((response) => {
      response.writeHead(307, { location: `${server.baseURL}/chat/completions` })
      response.end()
    })

    expect(await failureOf(ask())).toMatchObject({ kind: 'protocol', retryable: false })
    expect(server.seen).toHaveLength(before + 1)
  })

  test('[M7] leaves no connection open to a redirect whose body does not end', async () => {
    const closed = new Promise((resolve) => {
      server.enqueue((response) => {
        response.on('close', resolve)
        response.writeHead(307, { location: `${server.baseURL}/chat/completions` })
        response.write('Go')
      })
    })

    expect(await failureOf(ask())).toMatchObject({ kind: 'protocol' })
    await closed
  })

  test('leaves cookies to the origin of the page', async () => {
    const fetch = scriptedFetch()

    await collect(openai({ model: 'gpt-test', fetch }))

    expect(fetch.mock.calls[0]?.[1]).toMatchObject({
      credentials: 'same-origin',
      redirect: 'manual',
    })
  })

  test('a request that breaks a rule is refused by name', async () => {
    const broken = { ...question, tools: [{ name: 'my tool', description: '', inputSchema: {} }] }

    const error = await failureOf(ask({}, broken))

    expect(error).toMatchObject({ kind: 'bad_request', status: 400, retryable: false })
    expect(error.message).toContain('The request was refused: [tool_name] ')
  })

  test('a server that keeps failing is left alone', async () => {
    server.enqueue(...Array.from({ length: 5 }, () => refuse({ status: 503, body: '' })))
    for (let n = 0; n < 5; n += 1) await failureOf(ask())
    const before = server.seen.length

    expect(await failureOf(ask())).toMatchObject({ kind: 'overloaded', retryable: true })
    expect(server.seen).toHaveLength(before)
  })

  test('so is one that fails in the middle of its answers', async () => {
    const failing = stream([toSse([{ error: { code: 503, message: 'Too busy.' } }])])
    server.enqueue(...Array.from({ length: 5 }, () => failing))
    for (let n = 0; n < 5; n += 1) await failureOf(ask())
    const before = server.seen.length

    await failureOf(ask())
    expect(server.seen).toHaveLength(before)
  })
})

describe('an error of a server', () => {
  const said = (message: string, fields: object = {}) => ({ error: { message, ...fields } })

  test.for<[number, unknown, Partial<RunError>, RegExp]>([
    [400, said('temperature: bad'), { kind: 'bad_request' }, /refused: temperature: bad/],
    [400, { error: 'temperature: bad' }, { kind: 'bad_request' }, /refused: temperature: bad/],
    [400, { message: 'bad', code: 400 }, { kind: 'bad_request' }, /refused: bad/],
    [
      400,
      { object: 'error', message: 'bad', type: 'BadRequestError' },
      { kind: 'bad_request' },
      /: bad/,
    ],
    [400, 'just bad', { kind: 'bad_request' }, /refused: just bad/],
    [400, '<html>Bad</html>', { kind: 'bad_request' }, /no reason given/],
    [400, '', { kind: 'bad_request' }, /no reason given/],
    [400, [said('bad')], { kind: 'bad_request' }, /refused: bad/],
    [422, { detail: 'bad' }, { kind: 'bad_request' }, /refused: bad/],
    [
      422,
      { detail: [{ type: 'missing', loc: ['body', 'model'], msg: 'Field required' }] },
      { kind: 'bad_request' },
      /refused: body\.model: Field required/,
    ],
    [
      422,
      { object: 'error', message: { detail: [{ loc: ['body', 'stream_options'], msg: 'No.' }] } },
      { kind: 'bad_request' },
      /refused: body\.stream_options: No\./,
    ],
    [
      400,
      said('This is much.', { code: 'context_length_exceeded' }),
      { kind: 'context_overflow' },
      /Shorten/,
    ],
    [
      400,
      said("This model's maximum context length is 4096 tokens."),
      { kind: 'context_overflow' },
      /Shorten/,
    ],
    [400, said('tools[0].name: string too long'), { kind: 'bad_request' }, /string too long/],
    [
      401,
      said('Incorrect API key.', { code: 'invalid_api_key' }),
      { kind: 'auth' },
      /enter it again/,
    ],
    [402, said('Insufficient credits', { code: 402 }), { kind: 'billing' }, /credit/],
    [403, said('no'), { kind: 'permission' }, /gpt-test/],
    [
      404,
      said('no', { code: 'model_not_found' }),
      { kind: 'bad_request' },
      /"gpt-test".*`baseURL`/,
    ],
    [404, '404 page not found', { kind: 'bad_request' }, /"gpt-test".*`baseURL`/],
    [408, '', { kind: 'timeout', retryable: true }, /Try again/],
    [413, '<html>', { kind: 'too_large' }, /smaller/],
    [
      429,
      said('slow', { code: 'rate_limit_exceeded' }),
      { kind: 'rate_limited', retryable: true },
      /Wait/,
    ],
    [
      429,
      said('You exceeded your quota.', { type: 'insufficient_quota', code: 'insufficient_quota' }),
      { kind: 'billing' },
      /credit/,
    ],
    [
      429,
      said('No.', {
        type: 'rate_limit_error',
        code: null,
        details: { error_code: 'enforced_spend_limit_reached' },
      }),
      {
        kind: 'billing',
        details: { type: 'rate_limit_error', code: 'enforced_spend_limit_reached' },
      },
      /credit/,
    ],
    [
      429,
      said('No.', { code: 'rate_limit_exceeded', details: { error_code: 'spend_limit' } }),
      { kind: 'billing' },
      /credit/,
    ],
    [
      400,
      said('Much.', { code: 'context_length_exceeded', details: { error_code: 7 } }),
      { kind: 'context_overflow' },
      /Shorten/,
    ],
    [500, said('oops'), { kind: 'overloaded', retryable: true }, /Wait/],
    [502, '<h1>Bad gateway</h1>', { kind: 'overloaded', retryable: true }, /Wait/],
    [503, { detail: 'loading' }, { kind: 'overloaded', retryable: true }, /Wait/],
  ])(
    '[M1] [M3] [M4] of status %s saying %j becomes %j, once',
    async ([status, body, expected, sentence]) => {
      const before = server.seen.length
      server.enqueue(refuse({ status, body }))

      const error = await failureOf(ask())

      expect(error).toMatchObject({ retryable: false, ...expected, status })
      expect(error.message).toMatch(sentence)
      expect(server.seen).toHaveLength(before + 1)
    },
  )

  test.each([
    'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'Input is too long for requested model.',
    'prompt token count of 189000 exceeds the limit of 128000',
    'Your request exceeded model token limit: 8192 (requested: 9000)',
    'Prompt exceeds max length',
    'Range of input length should be [1, 30720]',
  ])(
    '[M4] is one of a conversation that is too long, in whose words it may be: %s',
    async (words) => {
      server.enqueue(refuse({ status: 400, body: said(words) }))

      expect(await failureOf(ask())).toMatchObject({ kind: 'context_overflow', retryable: false })
    },
  )

  test('says when to come back, and which request it was', async () => {
    const headers = { 'retry-after': '7', 'x-request-id': 'req_1' }
    server.enqueue(refuse({ status: 429, body: said('', { type: 'requests' }), headers }))

    expect(await failureOf(ask())).toMatchObject({
      retryAfterMs: 7000,
      details: { requestId: 'req_1', type: 'requests' },
    })
  })

  test('passes on the message of the server behind a gateway', async () => {
    const body = said('Provider returned error', { code: 400, metadata: { raw: 'Bad image.' } })
    server.enqueue(refuse({ status: 400, body }))

    expect((await failureOf(ask())).message).toContain('Provider returned error Bad image.')
  })

  test('that does not end, or breaks off, is still one', async () => {
    server.enqueue(async (response) => {
      response.writeHead(503)
      while (!response.destroyed) {
        await new Promise<void>((resolve) => response.write('x'.repeat(10_000), () => resolve()))
      }
    })
    server.enqueue((response) => {
      response.writeHead(400, { 'content-length': 999 })
      response.write('bad things', () => response.destroy())
    })

    expect(await failureOf(ask())).toMatchObject({ kind: 'overloaded', status: 503 })
    expect(await failureOf(ask())).toMatchObject({ kind: 'bad_request', status: 400 })
  })

  const inside = (error: unknown, fields: object = {}): RawEvent => ({ error, ...fields })
  test.each<[RawEvent, Partial<RunError>]>([
    [
      inside(
        { code: 502, message: 'Provider disconnected', metadata: { error_type: 'x' } },
        { choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }] },
      ),
      { kind: 'overloaded', retryable: true, status: 502 },
    ],
    [inside({ code: 429, message: 'slow' }, { choices: [] }), { kind: 'rate_limited' }],
    [inside({ code: 402, message: 'no credits' }), { kind: 'billing', retryable: false }],
    [inside({ code: 400, message: 'prompt is too long: 9 > 8' }), { kind: 'context_overflow' }],
    [inside({ message: 'x', type: 'BadRequestError', code: 400 }), { kind: 'bad_request' }],
    [inside({ message: 'x', type: 'invalid_request_error' }), { kind: 'bad_request' }],
    [inside({ message: 'x', code: 'insufficient_quota' }), { kind: 'billing' }],
    [inside({ message: 'x', type: 'server_error', code: null }), { kind: 'overloaded' }],
    [
      inside({ message: 'The request exceeds the available context size.' }),
      { kind: 'context_overflow', retryable: false },
    ],
    [
      inside({ message: 'x', type: 'tokens', code: 'rate_limit_exceeded' }),
      { kind: 'rate_limited', retryable: true },
    ],
    [inside('out of memory'), { kind: 'overloaded', retryable: true }],
    [{ object: 'error', message: 'x', code: 400 }, { kind: 'bad_request' }],
    [{ choices: [{ index: 0, error: { code: 403, message: 'x' } }] }, { kind: 'permission' }],
    [chunk({}, 'error'), { kind: 'overloaded', retryable: true }],
    [chunk({}, 'insufficient_system_resource'), { kind: 'overloaded', retryable: true }],
    [
      chunk({}, 'function_call_filter: MALFORMED_FUNCTION_CALL'),
      { kind: 'overloaded', retryable: true },
    ],
    [chunk({}, 'abort'), { kind: 'overloaded', retryable: true }],
    [chunk({}, 'ERROR'), { kind: 'overloaded', retryable: true }],
  ])('in the middle of a stream, %j becomes %j', async (event, expected) => {
    server.enqueue(stream([toSse([chunk({ content: 'Hi' }), event, chunk({}, 'stop')])]))

    expect(await failureOf(ask())).toMatchObject(expected)
  })

  test.each(['{"error":{"message":"x","code":429}}', '{"message":"x","code":429}', 'x'])(
    'may be an event of its own type: %s',
    async (data) => {
      const bytes = new TextEncoder().encode(`event: error\ndata: ${data}\n\n`)
      server.enqueue(stream([toSse([chunk({ content: 'Hi' })], { done: false }), bytes]))

      expect(await failureOf(ask())).toMatchObject({
        kind: data === 'x' ? 'overloaded' : 'rate_limited',
        retryable: true,
      })
    },
  )
})

describe('a key', () => {
  test.each([
    ['as text', key],
    ['from a function', () => key],
    ['from an async function', async () => key],
  ])('%s is sent', async (_, apiKey) => {
    server.enqueue(done)

    await ask({ apiKey })

    expect(lastSeen().headers.authorization).toBe(`Bearer ${key}`)
  })

  test.each<[string, NonNullable<OpenAIOptions['apiKey']>]>([
    ['with a line break', `${key}\n`],
    ['with a letter that no header takes', `${key}ж`],
    ['that is empty', () => ''],
    ['that cannot be read', () => Promise.reject(new Error(`no ${key}`))],
  ])('%s is not sent, nor shown', async (_, apiKey) => {
    const before = server.seen.length

    const error = await thrownBy(ask({ apiKey }))

    expect(error.error).toMatchObject({ kind: 'auth', retryable: false })
    expect(server.seen).toHaveLength(before)
    expect(everythingIn(error)).not.toContain('canary')
  })

  test('[I36] that the server quotes is not shown', async () => {
    const quotes = `${key} and Bearer someone-elses and sk-another`
    const error = { message: quotes, type: key, code: key }
    server.enqueue(refuse({ status: 400, body: { error }, headers: { 'x-request-id': key } }))
    server.enqueue(stream([toSse([{ error }])]))
    server.enqueue(stream([toSse([`${quotes} {`])]))
    server.enqueue(refuse({ status: 400, body: 'key abcdefgh-proxy' }))
    server.enqueue(stream([toSse([chunk({})])], { ending: 'cut' }))

    const errors = [
      await thrownBy(ask()),
      await thrownBy(ask()),
      await thrownBy(ask()),
      await thrownBy(ask({ apiKey: null, headers: { authorization: 'Bearer abcdefgh-proxy' } })),
      await thrownBy(ask()),
      await thrownBy(ask({ baseURL: 'http://127.0.0.1:1/v1' })),
    ]

    expect(errors[0]?.message).toContain('[secret] and [secret] and [secret]')
    for (const thrown of errors) {
      expect(everythingIn(thrown)).not.toMatch(/canary|someone-elses|another|abcdefgh/)
    }
  })

  test('is not needed where the server needs none, and headers may be added and taken away', async () => {
    server.enqueue(done, done, done)

    await ask({ apiKey: null })
    expect(lastSeen().headers).not.toHaveProperty('authorization')
    await ask({ headers: { 'X-Session': '1', authorization: null } })
    expect(lastSeen().headers).toMatchObject({ 'x-session': '1' })
    expect(lastSeen().headers).not.toHaveProperty('authorization')
    await ask({ apiKey: null, headers: { Authorization: 'Bearer session' } })
    expect(lastSeen().headers.authorization).toBe('Bearer session')
  })

  test('is not asked for if the signal is aborted already', async () => {
    const apiKey = vi.fn(() => key)
    const reason = new Error('stop')
    const chunks = model({ apiKey }).stream(question, { signal: AbortSignal.abort(reason) })

    await expect(chunks[Symbol.asyncIterator]().next()).rejects.toBe(reason)
    expect(apiKey).not.toHaveBeenCalled()
  })
})

describe('misuse', () => {
  test.each([{}, { apiKey: null }, { apiKey: '' }])(
    'without a way to answer (%j) throws',
    (options) => {
      expect(() => openai({ model: 'gpt-test', ...options })).toThrow(/apiKey.*baseURL.*fetch/)
    },
  )

  test('a relative baseURL needs a page', async () => {
    const options = { model: 'gpt-test', baseURL: '/api/openai/' }
    expect(() => openai(options)).toThrow(/must begin with https/)

    vi.stubGlobal('location', { origin: 'https://page.example' })
    onTestFinished(() => void vi.unstubAllGlobals())
    const fetch = scriptedFetch()
    await collect(openai({ ...options, fetch }))

    expect(fetch.mock.calls[0]?.[0]).toBe('https://page.example/api/openai/chat/completions')
  })

  test('an empty conversation and a broken header fail before anything is sent', async () => {
    const before = server.seen.length

    expect(await failureOf(ask({}, { ...question, messages: [] }))).toMatchObject({
      kind: 'bad_request',
    })
    const error = await thrownBy(ask({ headers: { 'x-secret': 'canary\n1' } }))

    expect(error.error.kind).toBe('bad_request')
    expect(everythingIn(error)).not.toContain('canary')
    expect(server.seen).toHaveLength(before)
  })
})

test('calls that came over the wire go back with their results', async () => {
  server.enqueue(
    stream([
      toSse([
        callsChunk(
          { index: 0, id: 'x', function: { name: 'clock', arguments: '{"city":"Kyiv"}' } },
          { index: 1, id: 'x', function: { name: 'clock' } },
        ),
        chunk({}, 'stop'),
      ]),
    ]),
    done,
  )
  const chunks = await ask()
  const calls = chunks.flatMap((part) => (part.type === 'toolcall_end' ? [part.contentIndex] : []))
  const place = { id: 'm', parentId: null }

  await ask(
    {},
    {
      ...question,
      messages: [
        ...question.messages,
        {
          ...place,
          role: 'assistant',
          model: { provider: 'openai', id: 'gpt-test' },
          content: calls.map((index) => ({
            type: 'toolCall',
            toolCallId: `call-${index}`,
            toolName: 'clock',
            argsText: chunks
              .map((part) => ('delta' in part && part.contentIndex === index ? part.delta : ''))
              .join(''),
          })),
        },
        ...calls.map((index) => ({
          ...place,
          role: 'toolResult' as const,
          toolCallId: `call-${index}`,
          toolName: 'clock',
          content: [{ type: 'text' as const, text: '12:00' }],
          isError: index === 1,
        })),
      ],
    },
  )

  expect(lastSeen().body).toMatchObject({
    messages: [
      {},
      {
        tool_calls: [
          { id: 'call-0', function: { arguments: '{"city":"Kyiv"}' } },
          { id: 'call-1', function: { arguments: '{}' } },
        ],
      },
      { tool_call_id: 'call-0', content: '12:00' },
      { tool_call_id: 'call-1', content: 'Error: 12:00' },
    ],
  })
})

function model(options: Partial<OpenAIOptions> = {}) {
  return openai({ model: 'gpt-test', apiKey: key, baseURL: server.baseURL, ...options })
}

function ask(
  options: Partial<OpenAIOptions> = {},
  request: ModelRequest = question,
): Promise<readonly ModelChunk[]> {
  return collect(model(options), request)
}

test('[M10] an answer that has ended needs no end of its connection', async () => {
  server.enqueue(stream([toSse([chunk({ content: 'Hi.' }, 'stop')])], { ending: 'stall' }))

  expect((await ask()).at(-1)).toMatchObject({ type: 'finish', stopReason: 'stop' })
})

/** Answers every request with nothing to say, and remembers it. */
function scriptedFetch() {
  return vi.fn<NonNullable<OpenAIOptions['fetch']>>(
    async () => new Response(toSse([chunk({}, 'stop')]).slice()),
  )
}

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
