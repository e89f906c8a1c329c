import { afterEach, describe, expect, test, vi } from 'vitest'
import { diagnosed } from './diagnosed.ts'
import { createEndpoint } from './endpoint.ts'

const endpoint = createEndpoint({ model: 'm', baseURL: 'https://model.test' }, {})

afterEach(() => {
  vi.doUnmock('./diagnose.ts')
  vi.resetModules()
  vi.useRealTimers()
})

describe('when the code that explains failures does not load', () => {
  const statuses = [400, 401, 402, 403, 404, 408, 409, 413, 422, 425, 429, 500, 503, 529]

  test.each(statuses)('%j is the same failure, in plain words', async (status) => {
    const refusal = { what: 'refused', status, said: '' } as const
    const { message: sentence, ...error } = (await diagnosed(refusal, endpoint)).error
    vi.doMock('./diagnose.ts', () => Promise.reject(new Error('Failed to fetch')))

    const { message, ...plain } = (await diagnosed(refusal, endpoint)).error

    expect(plain).toEqual(error)
    expect(message).toMatch(/^The request to model\.test failed \([a-z_]+(, status \d+)?\)\./)
    expect(message.endsWith(' Try again.')).toBe(plain.retryable)
    expect(sentence).not.toBe(message)
  })

  test.each(['unreachable', 'redirect'] as const)('%s is a failure all the same', async (what) => {
    vi.doMock('./diagnose.ts', () => Promise.reject(new Error('Failed to fetch')))

    const { error } = await diagnosed({ what }, endpoint)

    expect(error).toMatchObject({ kind: what === 'redirect' ? 'protocol' : 'network' })
    expect(error.message).toMatch(/^The request to model\.test failed/)
  })

  test('a failure waits for it for 3 seconds at most', async () => {
    vi.useFakeTimers()
    vi.doMock('./diagnose.ts', () => new Promise(() => {}))
    const failure = diagnosed({ what: 'refused', status: 401, said: '' }, endpoint)

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
