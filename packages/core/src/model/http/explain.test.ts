import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Refusal, refused } from './refusal.ts'

const target = { host: 'model.test', model: 'm', redact: (text: string) => text }

afterEach(() => {
  vi.doUnmock('./explain.ts')
  vi.resetModules()
  vi.useRealTimers()
})

describe('when the sentences about failures do not load', () => {
  const refusals: readonly Refusal[] = [
    ...[400, 401, 402, 403, 404, 408, 409, 413, 422, 425, 429, 500, 503, 529].map((status) => ({
      status,
    })),
    { status: 429, headers: new Headers({ 'retry-after': '7', 'x-should-retry': 'false' }) },
    { status: 400, message: 'prompt is too long: 9 > 8', requestId: 'req_1' },
    { type: 'overloaded_error', code: 'busy' },
  ]

  test.each(refusals)('%j is the same failure, in plain words', async (refusal) => {
    const { message: sentence, ...error } = (await refused(refusal, target)).error
    vi.doMock('./explain.ts', () => Promise.reject(new Error('Failed to fetch')))

    const { message, ...plain } = (await refused(refusal, target)).error

    expect(plain).toEqual(error)
    expect(message).toMatch(/^The request to model\.test failed \([a-z_]+(, status \d+)?\)\./)
    expect(message.endsWith(' Try again.')).toBe(plain.retryable)
    expect(sentence).not.toBe(message)
  })

  test('a failure waits for them for 3 seconds at most', async () => {
    vi.useFakeTimers()
    vi.doMock('./explain.ts', () => new Promise(() => {}))
    const failure = refused({ status: 401 }, target)

    await vi.advanceTimersByTimeAsync(3000)

    expect((await failure).error).toEqual({
      kind: 'auth',
      message: 'The request to model.test failed (auth, status 401).',
      retryable: false,
      status: 401,
    })
    expect(vi.getTimerCount()).toBe(0)
  })
})
