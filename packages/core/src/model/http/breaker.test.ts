import { describe, expect, test } from 'vitest'
import { ModelError } from '../port.ts'
import { breakerOf, couldRead, createBreaker, forgetFailures, type Outcome } from './breaker.ts'

const signal = new AbortController().signal

describe('a breaker', () => {
  test('[M6] opens after five failures in a row and says how long', async () => {
    const { fail, enter } = create()
    await fail(4)
    await fail(1, 'answered')
    await fail(4)
    ;(await enter()).leave('network')

    const error: unknown = await enter().catch((thrown: unknown) => thrown)

    if (!(error instanceof ModelError)) throw error
    expect(error.error).toMatchObject({ kind: 'overloaded', retryable: true })
    expect(error.error.retryAfterMs).toBe(30_000)
    expect(error.message).toContain('model.test failed 5 times in a row')
  })

  test('does not count outcomes that show a working server, nor stopped requests', async () => {
    const { fail, enter } = create()
    await fail(4)
    await fail(1, 'stopped')
    await fail(1, 'bad_request')
    await fail(4)

    await expect(enter()).resolves.toBeTypeOf('object')
  })

  test('[M6] after the pause one request goes first, and the others wait for its outcome', async () => {
    const { clock, fail, enter } = create()
    await fail(5)
    clock.now = 30_000
    const received: string[] = []
    const { leave: leaveProbe } = await enter()
    const others = [1, 2].map((n) =>
      enter().then(
        ({ leave }) => {
          received.push(`goes ${n}`)
          leave('answered')
        },
        () => received.push(`refused ${n}`),
      ),
    )
    await Promise.resolve()
    expect(received).toEqual([])

    leaveProbe('overloaded')
    await Promise.all(others)
    expect(received).toEqual(['refused 1', 'refused 2'])

    clock.now = 60_000
    const { leave: leaveSecond } = await enter()
    const waiting = enter()
    leaveSecond('answered')
    await expect(waiting).resolves.toBeTypeOf('object')
  })

  test('no request waits for the end of an answer that has started', async () => {
    const { clock, fail, enter } = create()
    await fail(5)
    clock.now = 30_000
    const first = await enter()
    const second = enter()

    first.answered()
    await expect(second).resolves.toBeTypeOf('object')
    first.leave('truncated_stream')

    await expect(enter()).resolves.toBeTypeOf('object')
  })

  test('a stopped probe leaves the place to the next', async () => {
    const { clock, fail, enter } = create()
    await fail(5)
    clock.now = 30_000
    const { leave: leaveProbe } = await enter()
    const next = enter()
    leaveProbe('stopped')

    await expect(next).resolves.toBeTypeOf('object')
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

  test('[M6] pauses as long as the server asks for', async () => {
    const { clock, fail, enter } = create()
    await fail(4)
    ;(await enter()).leave('rate_limited', 2000)

    await expect(enter()).rejects.toMatchObject({ error: { retryAfterMs: 2000 } })
    clock.now = 2000
    await expect(enter()).resolves.toBeTypeOf('object')
  })

  test('remembers of an origin whether it could ever be read', async () => {
    forgetFailures()
    const breaker = breakerOf('https://models.test/v1', '')
    const leave = async (outcome: Outcome) =>
      (await breaker.enter('models.test', signal)).leave(outcome)
    for (const outcome of ['stopped', 'network', 'cors', 'timeout'] as const) await leave(outcome)
    expect(couldRead('https://models.test/v2')).toBe(false)

    await leave('overloaded')

    expect(couldRead('https://models.test/v2')).toBe(true)
    expect(couldRead('https://other.test/v2')).toBe(false)
  })

  test('[M6] is one for an address and a key: a proxy may have another provider beside it', () => {
    const one = breakerOf('https://models.test/v1', 'key-1')

    expect(breakerOf('https://models.test/v1', 'key-1')).toBe(one)
    expect(breakerOf('https://models.test/v1', 'key-2')).not.toBe(one)
    expect(breakerOf('https://models.test/anthropic', 'key-1')).not.toBe(one)
    forgetFailures()
    expect(breakerOf('https://models.test/v1', 'key-1')).not.toBe(one)
  })

  test('those of keys that are long gone are forgotten', () => {
    const one = breakerOf('https://models.test/v1', 'key-1')
    for (let n = 2; n < 40; n += 1) breakerOf('https://models.test/v1', `key-${n}`)

    expect(breakerOf('https://models.test/v1', 'key-39')).toBe(
      breakerOf('https://models.test/v1', 'key-39'),
    )
    expect(breakerOf('https://models.test/v1', 'key-1')).not.toBe(one)
  })
})

function create() {
  const clock = { now: 0 }
  const breaker = createBreaker(() => clock.now)
  const enter = () => breaker.enter('model.test', signal)
  const fail = async (times: number, outcome: Outcome = 'network'): Promise<void> => {
    for (let n = 0; n < times; n += 1) (await enter()).leave(outcome)
  }
  return { clock, breaker, enter, fail }
}
