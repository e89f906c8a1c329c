/// <reference types="node" />
import { readdirSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RunError, RunErrorKind } from '../../kernel/run-error.ts'
import { diagnose } from './diagnose.ts'
import { createEndpoint } from './endpoint.ts'
import type { Failure, Refusal } from './failures.ts'

const key = 'canary-of-a-key'
const options = { headers: { 'x-api-key': key } }
const endpoint = createEndpoint({ model: 'm', baseURL: 'https://model.test' }, options)
const files = readdirSync(new URL('.', import.meta.url)).filter((name) => /^[\w-]+\.ts$/.test(name))

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://page.test/'))
  vi.stubGlobal('navigator', { onLine: true })
})

afterEach(() => {
  for (const file of files) vi.doUnmock(`./${file}`)
  vi.resetModules()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('[M3] [M4] when the sentences about failures do not load', () => {
  const statuses: readonly (readonly [number, RunErrorKind, boolean])[] = [
    [400, 'bad_request', false],
    [401, 'auth', false],
    [402, 'billing', false],
    [403, 'permission', false],
    [404, 'bad_request', false],
    [408, 'timeout', true],
    [409, 'overloaded', true],
    [413, 'too_large', false],
    [422, 'bad_request', false],
    [425, 'overloaded', true],
    [429, 'rate_limited', true],
    [500, 'overloaded', true],
    [503, 'overloaded', true],
    [529, 'overloaded', true],
  ]

  test.each(statuses)('a status of %j is the same failure', async (status, kind, retryable) => {
    await expectSame({ what: 'refused', status, said: '' }, { kind, retryable, status })
  })

  const words: readonly (readonly [Omit<Refusal, 'what'>, Partial<RunError>])[] = [
    [
      { status: 429, said: says({ type: 'insufficient_quota' }) },
      { kind: 'billing', retryable: false, status: 429 },
    ],
    [
      { status: 429, said: says({ details: { error_code: 'contract_spend_limit_reached' } }) },
      { kind: 'billing', retryable: false, status: 429 },
    ],
    [
      { status: 400, said: says({ message: 'Your credit balance is too low' }) },
      { kind: 'billing', retryable: false, status: 400 },
    ],
    [
      { status: 400, said: says({ message: 'prompt is too long: 9 > 8' }) },
      { kind: 'context_overflow', retryable: false, status: 400 },
    ],
    [
      { status: 413, said: says({ code: 'context_length_exceeded' }) },
      { kind: 'context_overflow', retryable: false, status: 413 },
    ],
    [
      { status: 400, said: says({ message: 'Incorrect API key provided' }) },
      { kind: 'auth', retryable: false, status: 400 },
    ],
    [{ said: { error: { code: 'invalid_api_key' } } }, { kind: 'auth', retryable: false }],
    [{ said: { error: { type: 'authentication_error' } } }, { kind: 'auth', retryable: false }],
    [{ said: { type: 'overloaded_error', code: 'busy' } }, { kind: 'overloaded', retryable: true }],
    [
      { said: { error: { code: 402, message: 'Pay first' } } },
      { kind: 'billing', retryable: false, status: 402 },
    ],
    [{ said: 'exceeds the context' }, { kind: 'context_overflow', retryable: false }],
    [{ said: '<h1>Bad gateway</h1>' }, { kind: 'overloaded', retryable: true }],
    [
      { status: 429, said: '', headers: new Headers({ 'retry-after': '7' }) },
      { kind: 'rate_limited', retryable: true, retryAfterMs: 7000 },
    ],
    [
      { status: 503, said: '', headers: new Headers({ 'retry-after-ms': '1500' }) },
      { kind: 'overloaded', retryable: true, retryAfterMs: 1500 },
    ],
    [
      { status: 429, said: '', headers: new Headers({ 'retry-after': '9999999' }) },
      { kind: 'rate_limited', retryable: true },
    ],
    [
      { status: 429, said: '', headers: new Headers({ 'x-should-retry': 'false' }) },
      { kind: 'rate_limited', retryable: false },
    ],
    [
      {
        status: 401,
        said: says({ type: key }),
        headers: new Headers({ 'request-id': 'req_1' }),
      },
      { kind: 'auth', retryable: false, details: { type: '[secret]', requestId: 'req_1' } },
    ],
  ]

  test.each(words)('%j is the same failure', async (refusal, expected) => {
    await expectSame({ what: 'refused', ...refusal }, expected)
  })

  test.each([
    [{ what: 'redirect' }, { kind: 'protocol', retryable: false }],
    [
      { what: 'not_a_stream', contentType: 'text/html' },
      { kind: 'protocol', retryable: true },
    ],
  ] as const)('%j is the same failure', async (failure, expected) => {
    await expectSame(failure, expected)
  })

  test('a server that does not let the page read its answers is `cors`', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response()))

    await expectSame({ what: 'unreachable' }, { kind: 'cors', retryable: false })
  })

  test('a server that is not there is `network`', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))

    await expectSame({ what: 'unreachable' }, { kind: 'network', retryable: true })
  })

  test('a device that is offline needs none of them', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    loadNothing()

    expect((await diagnose({ what: 'unreachable' }, endpoint)).error).toMatchObject({
      kind: 'network',
      message: 'This device is offline. Connect it and try again.',
    })
  })

  test('a failure waits for them for 3 seconds at most', async () => {
    vi.useFakeTimers()
    vi.doMock('./explain.ts', () => new Promise(() => {}))
    const failure = diagnose({ what: 'refused', status: 401, said: '' }, endpoint)

    await vi.advanceTimersByTimeAsync(3000)

    expect((await failure).error).toEqual({
      kind: 'auth',
      message: 'The request to model.test failed (auth).',
      retryable: false,
      status: 401,
    })
    expect(vi.getTimerCount()).toBe(0)
  })
})

/** The same failure with and without its sentence, and as it is expected. */
async function expectSame(failure: Failure, expected: Partial<RunError>): Promise<void> {
  const { message: sentence, ...error } = (await diagnose(failure, endpoint)).error
  loadNothing()

  const { message, ...plain } = (await diagnose(failure, endpoint)).error

  expect(plain).toMatchObject(expected)
  expect(plain).toEqual(error)
  expect(message).toMatch(/^The request to model\.test failed \([a-z_]+(, status \d+)?\)\./)
  expect(message.endsWith(' Try again.')).toBe(plain.retryable)
  expect(sentence).not.toBe(message)
}

/** Only what is loaded already is there, whatever is asked for later. */
function loadNothing(): void {
  for (const file of files)
    vi.doMock(`./${file}`, () => Promise.reject(new Error('Failed to fetch')))
}

function says(error: object): string {
  return JSON.stringify({ error })
}
