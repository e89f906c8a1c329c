import { describe, expect, test } from 'vitest'
import { ModelError } from '../port.ts'
import { breakerOf, createBreaker, forgetFailures, type Outcome } from './breaker.ts'

const signal = new AbortController().signal

describe('a breaker', () => {
  test('[E18] opens after five failures in a row and says how long', async () => {
    const { fail, enter } = create()
    await fail(4)
    await fail(1, 'answered')
    await fail(4)
    ;(await enter())('network')

    const error: unknown = await enter().catch((thrown: unknown) => thrown)

    if (!(error instanceof ModelError)) throw error
    expect(error.error).toMatchObject({ kind: 'overloaded', retryable: true })
    expect(error.error.retryAfterMs).toBe(30_000)
    expect(error.message).toContain('model.test failed 5 times in a row')
  })

  test('does not count what says that the server is well, nor what was stopped', async () => {
    const { fail, enter } = create()
    await fail(4)
    await fail(1, 'stopped')
    await fail(1, 'bad_request')
    await fail(4)

    await expect(enter()).resolves.toBeTypeOf('function')
  })

  test('[E18] after the pause one request goes first, and the others wait for its outcome', async () => {
    const { clock, fail, enter } = create()
    await fail(5)
    clock.now = 30_000
    const heard: string[] = []
    const leaveProbe = await enter()
    const others = [1, 2].map((n) =>
      enter().then(
        (leave) => {
          heard.push(`goes ${n}`)
          leave('answered')
        },
        () => heard.push(`refused ${n}`),
      ),
    )
    await Promise.resolve()
    expect(heard).toEqual([])

    leaveProbe('overloaded')
    await Promise.all(others)
    expect(heard).toEqual(['refused 1', 'refused 2'])

    clock.now = 60_000
    const leaveSecond = await enter()
    const waiting = enter()
    leaveSecond('answered')
    await expect(waiting).resolves.toBeTypeOf('function')
  })

  test('a stopped probe leaves the place to the next', async () => {
    const { clock, fail, enter } = create()
    await fail(5)
    clock.now = 30_000
    const leaveProbe = await enter()
    const next = enter()
    leaveProbe('stopped')

    await expect(next).resolves.toBeTypeOf('function')
  })

  test('who waits for a probe can be stopped', async () => {
    const { clock, fail, breaker } = create()
    await fail(5)
    clock.now = 30_000
    await breaker.enter('model.test', signal)
    const controller = new AbortController()
    const reason = new Error('stop')
    const waiting = breaker.enter('model.test', controller.signal)
    controller.abort(reason)

    await expect(waiting).rejects.toBe(reason)
  })

  test('[E13] remembers whether the server could ever be read', async () => {
    const { breaker, fail } = create()
    for (const outcome of ['stopped', 'network', 'cors', 'timeout'] as const) await fail(1, outcome)
    expect(breaker.wasHeard()).toBe(false)

    await fail(1, 'overloaded')

    expect(breaker.wasHeard()).toBe(true)
  })

  test('[E18] is one for all paths of a server', () => {
    const one = breakerOf('https://models.test/v1')

    expect(breakerOf('https://models.test/v2')).toBe(one)
    expect(breakerOf('https://models.test:8443/v1')).not.toBe(one)
    forgetFailures()
    expect(breakerOf('https://models.test/v1')).not.toBe(one)
  })
})

function create() {
  const clock = { now: 0 }
  const breaker = createBreaker(() => clock.now)
  const enter = () => breaker.enter('model.test', signal)
  const fail = async (times: number, outcome: Outcome = 'network'): Promise<void> => {
    for (let n = 0; n < times; n += 1) (await enter())(outcome)
  }
  return { clock, breaker, enter, fail }
}
