import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createGuessLimit } from './guess-limit.mjs'
import { Refusal } from './refusal.mjs'
import { ask, startBoth } from './servers.fixtures.mjs'

const wrong = { authorization: 'Bearer wrong' }

describe('[SEC-K7] guessing a token', () => {
  test('ends after twenty tries: the right one is not looked at any more', async () => {
    const { proxy, seen } = await startBoth()
    const statuses = []

    for (let n = 0; n < 20; n += 1) statuses.push((await ask(proxy, { headers: wrong })).status)
    const response = await ask(proxy)

    expect(statuses).toEqual(Array(20).fill(401))
    expect(response.status).toBe(429)
    const seconds = Number(response.headers.get('retry-after'))
    expect([seconds > 0, seconds <= 60]).toEqual([true, true])
    expect(seen).toEqual([])
  })

  test('from one address does not stop the users of another', async () => {
    const { proxy } = await startBoth(undefined, { addressHeader: 'x-forwarded-for' })
    const statusFrom = async (/** @type {string} */ address, headers = {}) =>
      (await ask(proxy, { headers: { ...headers, 'x-forwarded-for': address } })).status

    // What stands before the last address is the guesser's own.
    for (let n = 0; n < 20; n += 1) await statusFrom(`10.0.0.${n}, 192.0.2.1`, wrong)

    expect(await statusFrom('192.0.2.1')).toBe(429)
    expect(await statusFrom('192.0.2.1, 192.0.2.2')).toBe(200)
  })

  test('ends after twenty tries also if they come at once and their check takes time', async () => {
    let looks = 0
    const { proxy } = await startBoth(undefined, {
      authenticate: async () => {
        looks += 1
        await new Promise((resolve) => setTimeout(resolve, 20))
        return false
      },
    })

    const responses = await Promise.all(Array.from({ length: 100 }, () => ask(proxy)))

    const statuses = responses.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      ...Array(20).fill(401),
      ...Array(80).fill(429),
    ])
    expect(looks).toBe(20)
  })

  test('does not stop a hundred right tokens that come from one address at once', async () => {
    const { proxy } = await startBoth(undefined, {
      authenticate: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        return true
      },
    })

    const responses = await Promise.all(Array.from({ length: 100 }, () => ask(proxy)))

    expect(responses.map(({ status }) => status)).toEqual(Array(100).fill(200))
  })

  test('counts also if the check refuses it in words of its own', async () => {
    const { proxy } = await startBoth(undefined, {
      authenticate: () => Promise.reject(new Refusal(401, 'Who are you?')),
    })

    for (let n = 0; n < 20; n += 1) expect((await ask(proxy)).status).toBe(401)

    expect((await ask(proxy)).status).toBe(429)
  })

  test('may go on when the minute is over', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { guess, isRefused } = guessing()
    await guess('192.0.2.1', 20)

    expect(await isRefused('192.0.2.1')).toBe(true)
    vi.advanceTimersByTime(60_000)

    expect(await isRefused('192.0.2.1')).toBe(false)
  })

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:1:2:3', true],
    ['2001:db8::1', '2001:db8:0:0:5:6:7:8', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
    ['192.0.2.1:5678', '192.0.2.1:8765', true],
    ['192.0.2.1:5678', '192.0.2.2:5678', false],
    ['[2001:db8::1]:5678', '2001:db8::2', true],
    ['[2001:db8::1]:5678', '[2001:db8:0:1::1]:5678', false],
  ])('counts %s and %s as one network: %s', async (guesser, other, isSame) => {
    const { guess, isRefused } = guessing()
    await guess(guesser, 20)

    expect(await isRefused(other)).toBe(isSame)
  })

  test('from many addresses is remembered for the last ten thousand of them', async () => {
    const { guess, isRefused } = guessing()
    const address = (/** @type {number} */ n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
    await guess('192.0.2.1', 20)
    expect(await isRefused('192.0.2.1')).toBe(true)

    for (let n = 0; n < 10_000; n += 1) await guess(address(n), 1)

    expect(await isRefused('192.0.2.1')).toBe(false)
  })
})

function guessing() {
  const judge = createGuessLimit()
  return {
    guess: async (/** @type {string} */ address, /** @type {number} */ times) => {
      for (let n = 0; n < times; n += 1) await judge(address, () => false)
    },
    isRefused: (/** @type {string} */ address) =>
      judge(address, () => true).then(
        () => false,
        (error) => error instanceof Refusal && error.status === 429,
      ),
  }
}
