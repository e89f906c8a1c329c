import { once } from 'node:events'
import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  answerTo,
  ask,
  key,
  limits,
  listen,
  messageOf,
  open,
  page,
  question,
  startBoth,
  startProxy,
  textOf,
  token,
} from './servers.fixtures.mjs'

const anthropicFields = {
  ...{ messages: [], system: 'x', stream: true, max_tokens: 5, metadata: { user_id: 'x' } },
  ...{ tools: [], tool_choice: { type: 'auto' }, thinking: { type: 'adaptive' } },
  ...{ output_config: { effort: 'low' }, cache_control: null, context_management: {} },
  ...{ temperature: 1, top_k: 1, top_p: 1, stop_sequences: ['x'] },
}
const openaiFields = {
  ...{ messages: [], stream: true, stream_options: { include_usage: true }, max_tokens: 5 },
  ...{ max_completion_tokens: 5, tools: [], tool_choice: 'auto', parallel_tool_calls: true },
  ...{ reasoning_effort: 'low', verbosity: 'low', response_format: { type: 'text' }, seed: 1 },
  ...{ temperature: 1, top_p: 1, stop: ['x'], frequency_penalty: 1, presence_penalty: 1 },
  ...{ logit_bias: {}, prompt_cache_key: 'x', safety_identifier: 'x', user: 'x', metadata: {} },
}
const chat = '/openai/v1/chat/completions'
const chatQuestion = { model: 'gpt-test', messages: [] }

describe('[SEC-K7] the key', () => {
  test('is added, and headers of the page with a key of its own are left out', async () => {
    const { proxy, seen } = await startBoth()

    await ask(proxy, {
      headers: {
        'x-api-key': 'sk-of-the-page',
        cookie: 'session=of-the-page',
        'anthropic-version': '2026-10-21',
        'x-forwarded-for': '10.0.0.1',
      },
    })

    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/v1/messages' })
    expect(seen[0]?.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'anthropic-version': '2026-10-21',
    })
    for (const name of ['x-api-key', 'cookie', 'origin', 'referer', 'x-forwarded-for']) {
      expect(seen[0]?.headers).not.toHaveProperty(name)
    }
    expect(JSON.stringify(seen)).not.toMatch(new RegExp(`of-the-page|${token}`))
  })

  test('is added for Chat Completions, too', async () => {
    const { proxy, seen } = await startBoth()

    const response = await ask(proxy, { path: `${chat}?key=x`, body: chatQuestion })

    expect(response.status).toBe(200)
    expect(seen[0]).toMatchObject({ url: '/v1/chat/completions' })
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${key}`)
  })

  test('that the provider refuses is an error of the proxy, not of the user', async () => {
    const { proxy } = await startBoth((_, response) =>
      response.writeHead(401).end(`Incorrect API key provided: ${key}`),
    )

    const response = await ask(proxy)

    expect([response.status, response.headers.get('x-should-retry')]).toEqual([502, 'false'])
    const text = await response.text()
    expect(text).toContain('must check ANTHROPIC_API_KEY.')
    expect(text).not.toContain(key)
  })

  test('goes nowhere else: a redirect is refused', async () => {
    /** @type {string[]} */
    const elsewhere = []
    const other = await listen((request, response) => {
      elsewhere.push(request.url ?? '')
      response.end()
    })
    const { proxy } = await startBoth((_, response) =>
      response.writeHead(307, { location: `${other}/stolen` }).end(),
    )

    const response = await ask(proxy)

    expect(response.status).toBe(502)
    expect(response.headers.get('location')).toBeNull()
    expect(elsewhere).toEqual([])
  })
})

describe('[SEC-K7] a caller', () => {
  test.each([
    ['without a token', ''],
    ['with a wrong token', 'Bearer wrong'],
    ['with the beginning of the token', `Bearer ${token.slice(0, -1)}`],
    ['with another scheme', `Basic ${token}`],
  ])('%s is refused before anything is read', async (_, authorization) => {
    const { proxy, seen } = await startBoth()

    const response = await ask(proxy, { headers: { authorization }, body: 'no JSON' })

    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({
      type: 'error',
      error: { type: 'authentication_error', message: expect.stringMatching(/\.$/) },
    })
    expect(seen).toEqual([])
  })

  test('is any user that the given function accepts', async () => {
    const { proxy, seen } = await startBoth(undefined, {
      authenticate: async ({ headers }) => headers.cookie === 'session=ours',
    })

    const known = await ask(proxy, { headers: { cookie: 'session=ours' } })
    const unknown = await ask(proxy, { headers: { cookie: 'session=theirs' } })

    expect([known.status, unknown.status]).toEqual([200, 401])
    expect(seen).toHaveLength(1)
  })

  test('is not let in by a function that fails', async () => {
    const { proxy, seen, logged } = await startBoth(undefined, {
      authenticate: () => Promise.reject(new RangeError(`no database for ${token}`)),
    })

    const response = await ask(proxy)

    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('database')
    expect(seen).toEqual([])
    expect(await logged()).toMatchObject([{ status: 500, failure: 'RangeError' }])
  })
})

describe('[SEC-K7] a page', () => {
  test('of a configured origin reads the answer and the headers it needs', async () => {
    const { proxy } = await startBoth((_, response) =>
      response
        .writeHead(429, {
          'content-type': 'application/json',
          'retry-after': '7',
          'retry-after-ms': '7000',
          'request-id': 'req_1',
          'x-request-id': 'req_2',
          'x-should-retry': 'true',
          'set-cookie': 'theirs=1',
          server: 'theirs',
        })
        .end('{"error":{}}'),
    )

    const response = await ask(proxy)

    expect(response.status).toBe(429)
    expect(await response.text()).toBe('{"error":{}}')
    expect(readableFrom(page, response)).toEqual({
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'retry-after': '7',
      'retry-after-ms': '7000',
      'request-id': 'req_1',
      'x-request-id': 'req_2',
      'x-should-retry': 'true',
    })
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(response.headers.get('server')).toBeNull()
    expect(response.headers.get('vary')).toBe('origin')
  })

  test('of a configured origin reads refusals of the proxy as well', async () => {
    const { proxy } = await startBoth()

    const response = await ask(proxy, { body: { ...question, model: 'other' } })

    expect(response.headers.get('access-control-allow-origin')).toBe(page)
  })

  test('of a configured origin gets its preflight answered without a token', async () => {
    const { proxy, seen } = await startBoth()

    const response = await preflight(proxy, page)

    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization,x-stainless-lang',
    })
    expect(seen).toEqual([])
  })

  test.each(['https://evil.example', 'null', `${page}.evil.example`])(
    'of the origin %s is refused, token or not',
    async (origin) => {
      const { proxy, seen } = await startBoth()

      const responses = [await preflight(proxy, origin), await ask(proxy, { headers: { origin } })]

      for (const response of responses) {
        expect(response.status).toBe(403)
        expect(response.headers.get('access-control-allow-origin')).toBeNull()
      }
      expect(seen).toEqual([])
    },
  )
})

describe('[SEC-K7] a limit', () => {
  test.each([
    ['that is too high is lowered', { max_tokens: 5000 }, { max_tokens: 1000 }],
    ['that is low enough stays', { max_tokens: 10 }, { max_tokens: 10 }],
    ['that is missing is set', {}, { max_tokens: 1000 }],
  ])('of tokens %s', async (_, given, sent) => {
    const { proxy, seen } = await startBoth()

    await ask(proxy, { body: { model: 'claude-test', stream: true, ...given } })

    expect(JSON.parse(seen[0]?.text ?? '')).toEqual({
      model: 'claude-test',
      stream: true,
      ...sent,
    })
  })

  test.each([
    [{ max_tokens: 5000 }, { max_tokens: 1000 }],
    [
      { max_tokens: 5000, max_completion_tokens: 20 },
      { max_tokens: 20, max_completion_tokens: 20 },
    ],
    [{ max_tokens: null }, { max_tokens: null, max_completion_tokens: 1000 }],
    [{}, { max_completion_tokens: 1000 }],
  ])('of tokens in Chat Completions: %j is sent as %j', async (given, sent) => {
    const { proxy, seen } = await startBoth()

    await ask(proxy, { path: chat, body: { ...chatQuestion, ...given } })

    expect(JSON.parse(seen[0]?.text ?? '')).toEqual({ ...chatQuestion, ...sent })
  })

  test.each([
    ['an unknown model', { ...question, model: 'claude-large' }, 403],
    ['a model in a list', { ...question, model: ['claude-test'] }, 403],
    ['no model', {}, 403],
    ['a name that is no field', { ...question, ['x'.repeat(41)]: 1 }, 400],
    ['tokens in text', { ...question, max_tokens: '9e9' }, 400],
    ['no tokens', { ...question, max_tokens: 0 }, 400],
    ['no object', [question], 400],
    ['no JSON', '{"model":', 400],
  ])('refuses %s', async (_, body, status) => {
    const { proxy, seen } = await startBoth()

    const response = await ask(proxy, { body })

    expect(response.status).toBe(status)
    const type = status === 403 ? 'permission_error' : 'invalid_request_error'
    expect(await response.json()).toMatchObject({ type: 'error', error: { type } })
    expect(seen).toEqual([])
  })

  test.each([{ 0: { model: 'claude-large' } }, [[{ model: 'claude-large' }]], 'claude-large'])(
    'lets no tools pass that it cannot look through: %j',
    async (tools) => {
      const { proxy, seen } = await startBoth()

      expect((await ask(proxy, { body: { ...question, tools } })).status).toBe(400)
      expect((await ask(proxy, { body: { ...question, tools: null } })).status).toBe(200)
      expect(seen).toHaveLength(1)
    },
  )

  test('holds for a model that a tool asks, too', async () => {
    const { proxy, seen } = await startBoth()
    const advisor = { type: 'advisor_20260301', name: 'advisor', model: 'claude-test' }
    const plain = { name: 'plain', input_schema: { type: 'object' } }
    const tools = [plain, advisor, { ...advisor, max_tokens: 5000 }, { ...advisor, max_tokens: 7 }]

    const other = [plain, { ...advisor, model: 'claude-large' }]
    const refused = await ask(proxy, { body: { ...question, tools: other } })
    await ask(proxy, { body: { ...question, tools } })

    expect(refused.status).toBe(403)
    expect(seen).toHaveLength(1)
    expect(JSON.parse(seen[0]?.text ?? '')).toMatchObject({
      tools: [
        plain,
        { ...advisor, max_tokens: 1000 },
        { ...advisor, max_tokens: 1000 },
        { ...advisor, max_tokens: 7 },
      ],
    })
  })

  test.each([
    ['/anthropic/v1/messages', 'claude-test', anthropicFields],
    [chat, 'gpt-test', openaiFields],
  ])('lets every field of %s through that a page needs', async (path, model, fields) => {
    const { proxy, seen } = await startBoth()

    const response = await ask(proxy, { path, body: { ...fields, model } })

    expect(response.status).toBe(200)
    expect(JSON.parse(seen[0]?.text ?? '')).toEqual({ ...fields, model })
  })

  test.each([
    ...['models', 'fallbacks', 'n', 'best_of', 'min_tokens', 'extra_body', 'preset'],
    ...['deployment_id', 'service_tier', 'constructor'],
  ])('refuses the field %s by its name', async (field) => {
    const { proxy, seen } = await startBoth()

    const response = await ask(proxy, { body: { ...question, [field]: 1 } })

    expect(response.status).toBe(400)
    expect(await messageOf(response)).toBe(`This server does not take "${field}".`)
    expect(seen).toEqual([])
  })

  test.each([
    ['two million levels', '['.repeat(2_000_000) + ']'.repeat(2_000_000)],
    ['eight megabytes of fields', bodyWithFields(500_000)],
    [
      'eight megabytes of lists',
      `{"model":"claude-test","messages":[${'[],'.repeat(2_600_000)}1]}`,
    ],
  ])('of shape refuses %s', async (_, body) => {
    const { proxy, seen } = await startBoth(undefined, {
      limits: { ...limits, maxBodyBytes: 8_388_608 },
    })

    const response = await ask(proxy, { body })

    expect(response.status).toBe(400)
    expect(await response.text()).toMatch(/nested too deeply|too many fields/)
    expect(seen).toEqual([])
  })

  test('of shape lets long texts through, whatever is in them', async () => {
    const text = '{[,"\\'.repeat(300_000)
    const { proxy, seen } = await startBoth(undefined, {
      limits: { ...limits, maxBodyBytes: 8_388_608 },
    })

    const response = await ask(proxy, { body: { ...question, system: text } })

    expect(response.status).toBe(200)
    expect(JSON.parse(seen[0]?.text ?? '')).toMatchObject({ system: text })
  })

  test('cannot be avoided by repeating a field', async () => {
    const { proxy, seen } = await startBoth()

    const body = '{"model":"claude-large","max_tokens":9000,"model":"claude-test","max_tokens":5}'
    await ask(proxy, { body })

    expect(seen[0]?.text).toBe('{"model":"claude-test","max_tokens":5}')
  })

  test('of bytes refuses a body that states a larger size, before it is read', async () => {
    const { proxy, seen } = await startBoth()

    const request = open(proxy, { 'content-length': 2001 })
    request.flushHeaders()
    const response = await answerTo(request)
    onTestFinished(() => void request.destroy())

    expect(response.statusCode).toBe(413)
    expect(seen).toEqual([])
  })

  test('of bytes refuses what grows larger, in the shape of the provider', async () => {
    const { proxy, seen } = await startBoth()
    const request = open(proxy)
    const answered = answerTo(request)
    const sent = once(request, 'close')

    for (let n = 0; n < 200; n += 1) request.write('x'.repeat(65_536))
    request.end()
    const response = await answered

    expect(response.statusCode).toBe(413)
    expect(JSON.parse(await textOf(response))).toMatchObject({
      error: { type: 'request_too_large' },
    })
    await sent
    expect(request.writableFinished).toBe(true)
    expect(seen).toEqual([])
  })

  test('refuses in the shape of Chat Completions there', async () => {
    const { proxy } = await startBoth()

    const response = await ask(proxy, { path: chat, body: question.messages })

    expect(await response.json()).toEqual({
      error: {
        message: 'The body is not a JSON object.',
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    })
  })
})

describe('an address', () => {
  test.each([
    ['POST', '/anthropic/v1/files', 404],
    ['POST', '/anthropic/v1/messages/../files', 404],
    ['POST', '/openai/v1/models', 404],
    ['POST', '//', 404],
    ['GET', '/anthropic/v1/messages', 405],
  ])('%s %s leads nowhere', async (method, path, status) => {
    const { proxy, seen } = await startBoth()

    const response = await ask(proxy, { method, path })

    expect(response.status).toBe(status)
    expect(seen).toEqual([])
  })

  test('of a provider without a key says so', async () => {
    const { proxy } = await startBoth(undefined, { upstreams: {} })

    const response = await ask(proxy, { path: chat, body: chatQuestion })

    expect(response.status).toBe(404)
    expect(await response.text()).toContain('This server has no key for openai.')
  })
})

describe('[SEC-K7] a stream', () => {
  test('arrives piece by piece, while the provider still sends', async () => {
    /** @type {string[]} */
    const order = []
    /** @type {import('node:http').ServerResponse[]} */
    const upstream = []
    const { proxy, logged } = await startBoth((_, response) => {
      upstream.push(response.writeHead(200, { 'content-type': 'text/event-stream' }))
      response.flushHeaders()
    })

    const response = await ask(proxy)
    order.push('the page has the headers')
    const reader = response.body?.getReader()
    for (const piece of ['data: one\n\n', 'data: two\n\n']) {
      upstream[0]?.write(piece)
      const { value } = (await reader?.read()) ?? {}
      order.push(`the page has ${Buffer.from(value ?? []).toString()}`)
    }
    order.push('the provider ends')
    upstream[0]?.end()

    expect((await reader?.read())?.done).toBe(true)
    expect(order).toEqual([
      'the page has the headers',
      'the page has data: one\n\n',
      'the page has data: two\n\n',
      'the provider ends',
    ])
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await logged()).toMatchObject([{ status: 200, outcome: 'sent' }])
  })

  test('that the page leaves is aborted at the provider', async () => {
    /** @type {(value: string) => void} */
    let settle = () => undefined
    /** @type {Promise<string>} */
    const received = new Promise((resolve) => {
      settle = resolve
    })
    const { proxy, logged } = await startBoth((_, response) => {
      response.once('close', () => settle(response.writableFinished ? 'finished' : 'aborted'))
      response.writeHead(200).write('data: one\n\n')
    })
    const request = open(proxy)
    request.once('error', () => undefined)
    request.end(JSON.stringify(question))
    const response = await answerTo(request)
    response.once('error', () => undefined)
    await once(response, 'data')

    request.destroy()

    expect(await received).toBe('aborted')
    expect(await logged()).toMatchObject([{ status: 200, outcome: 'client left' }])
  })

  test('that the page leaves before the answer is aborted, too', async () => {
    /** @type {(value: boolean) => void} */
    let settle = () => undefined
    /** @type {Promise<boolean>} */
    const received = new Promise((resolve) => {
      settle = resolve
    })
    /** @type {import('node:http').ClientRequest[]} */
    const requests = []
    const { proxy, logged } = await startBoth((_, response) => {
      response.once('close', () => settle(response.writableFinished))
      requests[0]?.destroy()
    })
    const request = open(proxy)
    requests.push(request)
    request.once('error', () => undefined)
    request.end(JSON.stringify(question))

    expect(await received).toBe(false)
    expect(await logged()).toMatchObject([{ status: 0, outcome: 'client left' }])
  })

  test('of a request that the page breaks off is no error of the server', async () => {
    const { proxy, seen, logged } = await startBoth(undefined, {
      authenticate: () => {
        setImmediate(() => request.destroy())
        return true
      },
    })
    const request = open(proxy)
    request.once('error', () => undefined)
    request.write('{"model":')

    const [entry] = await logged()

    expect(entry).toMatchObject({ status: 0, outcome: 'client left' })
    expect(entry).not.toHaveProperty('failure')
    expect(seen).toEqual([])
  })

  test('that breaks off does not look complete', async () => {
    const { proxy, logged } = await startBoth((_, response) => {
      response.writeHead(200).write('one', () => response.destroy())
    })

    const response = await ask(proxy)

    await expect(response.text()).rejects.toThrow()
    expect(await logged()).toMatchObject([{ status: 200, outcome: 'upstream broke off' }])
  })

  test('that breaks off does not look complete to a server in front that asks by HTTP/1.0', async () => {
    const { proxy } = await startBoth((_, response) => {
      response.writeHead(200).write('one', () => response.destroy())
    })
    const socket = connect(Number(new URL(proxy).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())

    socket.write(writtenAs('1.0'))
    socket.resume()

    await expect(once(socket, 'close')).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  test('that is larger than any buffer arrives whole', async () => {
    const { proxy } = await startBoth((_, response) => {
      response.writeHead(200)
      for (let n = 0; n < 200; n += 1) response.write('x'.repeat(65_536))
      response.end()
    })
    const request = open(proxy)
    request.end(JSON.stringify(question))
    const response = await answerTo(request)

    expect(await textOf(response)).toHaveLength(200 * 65_536)
  })
})

test('a provider that cannot be reached is a 502 with a reason', async () => {
  const { proxy, logged } = await startProxy('http://127.0.0.1:1')

  const response = await ask(proxy)

  expect(response.status).toBe(502)
  expect(await response.json()).toEqual({
    type: 'error',
    error: {
      type: 'api_error',
      message: 'The provider (anthropic) could not be reached. Try again.',
    },
  })
  expect(await logged()).toMatchObject([{ status: 502, outcome: 'sent' }])
})

describe('[SEC-K7] the log', () => {
  test('says what happened and how many tokens were asked for', async () => {
    const { proxy, logged } = await startBoth()

    await ask(proxy, { body: { ...question, max_tokens: 5000 } })

    expect(await logged()).toEqual([
      {
        method: 'POST',
        path: '/anthropic/v1/messages',
        status: 200,
        durationMs: expect.any(Number),
        outcome: 'sent',
        askedTokens: 5000,
        maxTokens: 1000,
      },
    ])
  })

  test('keeps its lines short, whatever is asked for', async () => {
    const { proxy, logged } = await startBoth()

    await ask(proxy, { path: `/${'\u2028'.repeat(1500)}?${'x'.repeat(1000)}` })

    expect(JSON.stringify(await logged()).length).toBeLessThan(300)
  })

  test.each([200, 401, 500])(
    'holds nothing of bodies, keys and tokens when the provider says %d',
    async (status) => {
      const { proxy, logged } = await startBoth((_, response) =>
        response.writeHead(status).end('secret of the answer'),
      )

      await ask(proxy, {
        path: `/anthropic/v1/messages?key=${key}`,
        headers: { cookie: 'secret=1', 'x-api-key': 'secret' },
        body: { ...question, system: 'secret of the question' },
      })

      expect(await logged()).toHaveLength(1)
      expect(JSON.stringify(await logged())).not.toMatch(new RegExp(`secret|${key}|${token}`))
    },
  )
})

/** @param {number} count */
function bodyWithFields(count) {
  const fields = Array.from({ length: count }, (_, n) => `"field${n}":1`)
  return `{"model":"claude-test","metadata":{${fields.join(',')}}}`
}

/** @param {string} proxy @param {string} origin */
function preflight(proxy, origin) {
  return ask(proxy, {
    method: 'OPTIONS',
    headers: {
      origin,
      authorization: '',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,x-stainless-lang',
    },
  })
}

/**
 * The headers a page of that origin can read, by the rules of the Fetch standard.
 *
 * @param {string} origin
 * @param {Response} response
 */
function readableFrom(origin, { headers }) {
  if (headers.get('access-control-allow-origin') !== origin) return undefined
  const exposed = (headers.get('access-control-expose-headers') ?? '').split(', ')
  const readable = ['cache-control', 'content-type', ...exposed]
  return Object.fromEntries([...headers].filter(([name]) => readable.includes(name)))
}

describe('[SEC-K7] requests that one connection sends at once', () => {
  test('are not served beside each other', async () => {
    /** @type {import('node:http').ServerResponse[]} */
    const waiting = []
    const { proxy, seen } = await startBoth((_, response) => void waiting.push(response))
    const socket = connect(Number(new URL(proxy).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())

    socket.write(writtenAs('1.1').repeat(1000))
    while (waiting.length === 0) await nextTurn()
    // The provider has the first one, and a request by itself comes behind all the others.
    const last = ask(proxy, { path: chat, body: chatQuestion })
    while (waiting.length === 1) await nextTurn()
    for (const response of waiting) response.end('{}')
    const text = await textOf(socket)

    expect((await last).status).toBe(200)
    expect(seen).toHaveLength(2)
    expect(text.match(/HTTP\/1.1 \d+/g)?.slice(0, 2)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
    expect(text).toContain('Send one request after the other.')
  })

  test('may follow each other', async () => {
    const { proxy, seen } = await startBoth()
    const socket = connect(Number(new URL(proxy).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())

    for (const count of [1, 2, 3]) {
      socket.write(writtenAs('1.1'))
      await once(socket, 'data')
      expect(seen).toHaveLength(count)
    }
  })
})

/** A request as it goes over the wire. @param {string} version */
function writtenAs(version) {
  const body = JSON.stringify(question)
  return [
    `POST /anthropic/v1/messages HTTP/${version}`,
    'host: proxy',
    `authorization: Bearer ${token}`,
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

test('the query of a provider’s address stays behind the path that is asked for', async () => {
  /** @type {(string | undefined)[]} */
  const seen = []
  const upstream = await listen((request, response) => {
    seen.push(request.url)
    response.end('{}')
  })
  const baseURL = `${upstream}/openai/?api-version=2`
  const { proxy } = await startProxy('', { upstreams: { anthropic: { baseURL, key } } })

  await ask(proxy)

  expect(seen).toEqual(['/openai/v1/messages?api-version=2'])
})
