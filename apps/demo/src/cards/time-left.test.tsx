import type { ToolCallView } from '@offthread/core'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { demoCall } from '../tools/demo-call.fixtures.ts'
import { leftMs, roughly, TimeLeft } from './time-left.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('the rest takes as long as the start did, once that says something', () => {
  expect(leftMs(0.5, 4999)).toBeUndefined()
  expect(leftMs(0.09, 60_000)).toBeUndefined()
  expect(leftMs(1, 60_000)).toBeUndefined()
  expect(leftMs(0.25, 20_000)).toBe(60_000)
  expect([900, 9100, 31_000, 59_000, 61_000].map(roughly)).toEqual([
    '1 s',
    '10 s',
    '35 s',
    '60 s',
    '2 min',
  ])
})

test('it comes after five seconds, and only where a total is known', () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  const call: ToolCallView = { ...demoCall, toolName: 'other', times: { runningAt: Date.now() } }
  const shown = (progress: ToolCallView['progress']) => {
    const { container } = render(<TimeLeft call={progress ? { ...call, progress } : call} />)
    return container
  }
  const [known, open] = [shown({ value: 1, total: 4 }), shown({ value: 1 })]
  expect(known.textContent).toBe('')

  vi.advanceTimersByTime(20_000)
  cleanup()
  const later = shown({ value: 1, total: 4 })

  expect(later.textContent).toBe(' · about 60 s left')
  expect(open.textContent).toBe('')
})
