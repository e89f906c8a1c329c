import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createGuessLimit } from './guess-limit.mjs'
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

  test('may go on when the minute is over', () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { check, countWrong } = createGuessLimit()
    for (let n = 0; n < 20; n += 1) countWrong('192.0.2.1')

    expect(() => check('192.0.2.1')).toThrow('Too many wrong tokens')
    vi.advanceTimersByTime(60_000)

    expect(() => check('192.0.2.1')).not.toThrow()
  })

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:1:2:3', true],
    ['2001:db8::1', '2001:db8:0:0:5:6:7:8', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
  ])('counts %s and %s as one network: %s', (guesser, other, isSame) => {
    const { check, countWrong } = createGuessLimit()
    for (let n = 0; n < 20; n += 1) countWrong(guesser)

    const checkOther = expect(() => check(other))

    if (isSame) checkOther.toThrow('Too many wrong tokens')
    else checkOther.not.toThrow()
  })

  test('from many addresses is remembered for the last ten thousand of them', () => {
    const { check, countWrong } = createGuessLimit()
    const address = (/** @type {number} */ n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
    for (let n = 0; n < 20; n += 1) countWrong('192.0.2.1')
    expect(() => check('192.0.2.1')).toThrow('Too many wrong tokens')

    for (let n = 0; n < 10_000; n += 1) countWrong(address(n))

    expect(() => check('192.0.2.1')).not.toThrow()
  })
})
