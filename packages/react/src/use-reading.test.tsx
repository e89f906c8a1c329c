import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useReading } from './use-reading.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('40,000 events are read in steps of 2,000, each a task; then each that comes at once', () => {
  const { result, rerender } = renderHook(({ log, length }) => useReading(log, length), {
    initialProps: { log: {}, length: 39_000 },
  })
  const log = {}
  rerender({ log, length: 39_000 })
  const steps = [result.current]
  while (vi.getTimerCount() > 0) {
    act(() => void vi.advanceTimersToNextTimer())
    steps.push(result.current)
  }
  expect(steps).toEqual([...Array.from({ length: 19 }, (_, n) => (n + 1) * 2000), 39_000])

  rerender({ log, length: 39_100 })
  expect(result.current).toBe(39_100)
  rerender({ log: {}, length: 39_100 })
  expect(result.current).toBe(2000)
})
