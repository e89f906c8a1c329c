/// <reference types="node" />
import Anthropic from '@anthropic-ai/sdk'
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { createAccumulator } from '../accumulate.ts'
import { forgetFailures } from '../http/breaker.ts'
import {
  type Answer,
  type FakeServer,
  startFakeServer,
  stream,
} from '../http/fake-server.fixtures.ts'
import { type ModelChunk, ModelError, type ModelRequest } from '../port.ts'
import { type AnthropicModel, type AnthropicOptions, anthropic } from './anthropic.ts'
import type { AnthropicClient } from './client.ts'
import { eventsOf, toSse, twoCalls } from './fake.fixtures.ts'
import { refuse } from './fake-server.fixtures.ts'
import { anthropicProblems } from './strict.fixtures.ts'

let server: FakeServer
beforeAll(async () => {
  server = await startFakeServer({
    judge: () => null,
    nothingLeft: refuse({ status: 500, type: 'api_error', message: 'none left' }),
  })
})
afterAll(() => server.close())
beforeEach(forgetFailures)

const key = 'canary-0123456789'

const clients = {
  'the SDK': () => new Anthropic({ apiKey: key, baseURL: server.origin, logLevel: 'off' }),
  'the SDK for Vertex': () => vertexClient(server.origin),
} as const

test('the clients are taken as they are, also those that cannot count', () => {
  expectTypeOf<Anthropic>().toExtend<AnthropicClient>()
  expectTypeOf<AnthropicVertex>().toExtend<AnthropicClient>()
  // What the client for Bedrock has.
  expectTypeOf<{
    baseURL: string
    messages: Omit<Anthropic['messages'], 'batches' | 'countTokens'>
  }>().toExtend<AnthropicClient>()
})

describe.each(Object.entries(clients))('%s', (_, makeClient) => {
  const through = (options: Partial<AnthropicOptions> = {}) =>
    anthropic({ model: 'claude-test', client: makeClient(), ...options })
  const direct = () => anthropic({ model: 'claude-test', apiKey: key, baseURL: server.origin })

  test('sends the same request once, and its answer is read the same way', async () => {
    const answer = stream([toSse([{ type: 'ping' }]), toSse(eventsOf(twoCalls))])
    server.enqueue(answer, answer)

    const chunks = await collect(through())

    const { body, headers } = lastSeen()
    expect(headers.authorization).toBe(`Bearer ${key}`)
    // The client for Vertex puts the model into the address, and the version into the body.
    const { anthropic_version: _, ...fields } = Object(body)
    expect(anthropicProblems({ model: 'claude-test', ...fields })).toEqual([])
    expect(chunks).toEqual(await collect(direct()))
    expect(lastSeen().body).toMatchObject(fields)
  })

  const half = toSse(eventsOf(twoCalls)).subarray(0, 700)
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Sorry' } }

  test.each<[string, Answer]>([
    ...[400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 503, 529].map(
      (status): [string, Answer] => [
        String(status),
        refuse({
          status,
          type: 'some_error',
          message: `about ${key}`,
          headers: { 'retry-after': '7', 'request-id': 'req_1' },
        }),
      ],
    ),
    ['a spend limit', refuse({ status: 429, type: 'x', message: '', code: 'spend_limit_reached' })],
    ['a full context', refuse({ status: 400, type: 'x', message: 'prompt is too long: 9 > 8' })],
    ['a page', (response) => void response.writeHead(502).end('<h1>Bad gateway</h1>')],
    ['a login page', (response) => void response.writeHead(200).end('<h1>Log in</h1>')],
    ['a cut', stream([half], { ending: 'cut' })],
    ['an early end', stream([half])],
    ['garbage', stream([new TextEncoder().encode('event: message_start\ndata: {"ty\n\n')])],
    [
      'an error in the middle',
      stream([toSse(eventsOf(twoCalls).slice(0, 3)), toSse([overloaded])]),
    ],
    ['a dropped connection', (response) => void response.destroy()],
  ])('fails at %s as without it, and asks once', async (_, answer) => {
    server.enqueue(answer, answer)
    const before = server.seen.length

    const { error } = await failureOf(through())

    expect(error).toEqual((await failureOf(direct())).error)
    expect(server.seen).toHaveLength(before + 2)
    expect(JSON.stringify(error)).not.toContain(key)
  })

  test('can be stopped before its answer', async () => {
    const controller = new AbortController()
    const reason = new Error('stop')
    server.enqueue(() => controller.abort(reason))

    await expect(collect(through(), { signal: controller.signal })).rejects.toBe(reason)
  })

  test('can be stopped at a ping, which is a sign of life', async () => {
    const controller = new AbortController()
    const reason = new Error('stop')
    server.enqueue(stream([toSse([{ type: 'ping' }])], { ending: 'stall' }))

    const options = { signal: controller.signal, onAlive: () => controller.abort(reason) }

    await expect(collect(through(), options)).rejects.toBe(reason)
  })

  test('counts tokens', async () => {
    server.enqueue((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"input_tokens":2095}')
    })

    expect(await through().countTokens(question)).toBe(2095)
  })

  test.each([
    { apiKey: key },
    { baseURL: 'https://models.test' },
    { headers: { 'x-team': 'a' } },
    { fetch: globalThis.fetch },
  ])('takes no %j beside it', (options) => {
    const [name] = Object.keys(options)

    expect(() => through(options)).toThrow(
      new TypeError(`With a \`client\` there is no \`${name}\` here: give it to the client.`),
    )
  })
})

test.each([
  'sk-ant-api03-0123456789',
  'ya29.a0AfH6SMB_x-y',
  'eyJhbGciOi.eyJzdWIi.c2ln',
  'ABSKQmVkcm9ja0FQSUtleQ==',
])('[I36] a key that the client asks for, such as %s, is in no error', async (secret) => {
  const apiKey = async () => secret
  const client = new Anthropic({ apiKey, baseURL: server.origin, logLevel: 'off' })
  server.enqueue(refuse({ status: 400, type: secret, message: `about ${secret}` }))

  const { error } = await failureOf(anthropic({ model: 'claude-test', client }))

  expect(lastSeen().headers.authorization).toBe(`Bearer ${secret}`)
  expect(JSON.stringify(error)).not.toContain(secret)
})

test('a client that cannot count says so', async () => {
  const { messages, baseURL } = new Anthropic({ apiKey: key, baseURL: server.origin })
  const client = { baseURL, messages: { create: messages.create.bind(messages) } }

  const counted = anthropic({ model: 'claude-test', client }).countTokens(question)

  await expect(counted).rejects.toMatchObject({
    error: { kind: 'bad_request', message: expect.stringContaining('cannot count') },
  })
})

test('a client without a key fails like a missing key, and one without a server like no server', async () => {
  const keyless = new Anthropic({ apiKey: null, authToken: null, baseURL: server.origin })
  const { error } = await failureOf(anthropic({ model: 'claude-test', client: keyless }))
  expect(error).toMatchObject({ kind: 'auth', retryable: false })

  const client = new Anthropic({ apiKey: key, baseURL: 'http://127.0.0.1:1', logLevel: 'off' })
  const unreached = await failureOf(anthropic({ model: 'claude-test', client }))
  expect(unreached.error).toMatchObject({ kind: 'network', retryable: true })
  expect(unreached.message).toContain('127.0.0.1:1')
})

test('what kept a client from sending the request is told without its key', async () => {
  const create = () => {
    throw new Error(`No credentials for ${key}`)
  }
  const client = { baseURL: server.origin, apiKey: key, messages: { create } }

  const { error } = await failureOf(anthropic({ model: 'claude-test', client }))

  expect(error).toEqual({
    kind: 'auth',
    message: 'The client could not send the request: No credentials for [secret]',
    retryable: false,
  })
})

test('refuses a value that is not a client', () => {
  const client = { baseURL: 'https://models.test' } as AnthropicClient

  expect(() => anthropic({ model: 'claude-test', client })).toThrow(TypeError)
})

/** A client that needs no account of Google's. */
function vertexClient(origin: string): AnthropicVertex {
  const getRequestHeaders = async () => new Headers({ authorization: `Bearer ${key}` })
  return new AnthropicVertex({
    region: 'global',
    projectId: 'p',
    baseURL: origin,
    accessToken: key,
    logLevel: 'off',
    authClient: { getRequestHeaders, projectId: 'p' } as never,
  })
}

const question: ModelRequest = {
  system: '',
  messages: [{ id: 'm', parentId: null, role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  tools: [],
}

/** Reads an answer as an agent does, with the checks that hold for every model. */
async function collect(
  model: AnthropicModel,
  options: { readonly signal?: AbortSignal; readonly onAlive?: () => void } = {},
): Promise<readonly ModelChunk[]> {
  const chunks: ModelChunk[] = []
  const accumulate = createAccumulator(() => 'call')
  const { signal } = new AbortController()
  for await (const chunk of model.stream(question, { signal, ...options })) {
    accumulate(chunk)
    chunks.push(chunk)
  }
  return chunks
}

async function failureOf(model: AnthropicModel): Promise<ModelError> {
  const error: unknown = await collect(model).catch((thrown: unknown) => thrown)
  if (error instanceof ModelError) return error
  throw new Error('The stream did not fail with a ModelError.', { cause: error })
}

function lastSeen(): FakeServer['seen'][number] {
  const seen = server.seen.at(-1)
  if (!seen) throw new Error('Nothing was asked.')
  return seen
}
