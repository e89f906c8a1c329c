import { expect, test, vi } from 'vitest'
import { platformClock } from './clock.ts'

test('calls back once after the time, unless it was cancelled', () => {
  vi.useFakeTimers()
  const called: string[] = []
  platformClock.setTimer(10, () => called.push('kept'))
  const cancel = platformClock.setTimer(10, () => called.push('cancelled'))

  cancel()
  vi.advanceTimersByTime(1000)

  expect(called).toEqual(['kept'])
  vi.useRealTimers()
})

test.for([2 ** 31, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY])(
  'waits correctly for a time that is longer than a timer can hold: %d',
  (ms) => {
    vi.useFakeTimers()
    let called = false
    platformClock.setTimer(ms, () => {
      called = true
    })

    vi.advanceTimersByTime(86_400_000)

    expect(called).toBe(false)
    vi.clearAllTimers()
    vi.useRealTimers()
  },
)
