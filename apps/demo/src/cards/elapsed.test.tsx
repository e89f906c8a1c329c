import type { ToolCallView } from '@offthread/core'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Elapsed } from './elapsed.tsx'

afterEach(cleanup)

test('the clock of a call that was cut off goes with it, because its time is not known', () => {
  const call = { hasEnded: false, times: { runningAt: Date.now() } } as ToolCallView
  const { container, rerender } = render(<Elapsed call={call} />)
  expect(container.textContent).toBe('0.0 s')

  const timing = { queuedMs: 0, startMs: 0, runMs: 0 }
  rerender(<Elapsed call={{ ...call, hasEnded: true, timing }} />)

  expect(container.textContent).toBe('')
})
