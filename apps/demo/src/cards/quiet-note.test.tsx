import type { ToolCallView } from '@offthread/core'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { demoCall } from '../tools/demo-call.fixtures.ts'
import { QuietNote } from './quiet-note.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const silent: ToolCallView = { ...demoCall, toolName: 'other' }

test('a call that reports no more is said to be quiet, until it reports again or ends', () => {
  vi.useFakeTimers()
  const { container, rerender } = render(<QuietNote call={reporting(1)} />)
  pass(4900)
  rerender(<QuietNote call={reporting(2)} />)
  pass(4900)
  expect(container.textContent).toBe('')

  pass(2100)
  expect(container.textContent).toBe('quiet for 7.0 s')

  rerender(<QuietNote call={reporting(3)} />)
  expect(container.textContent).toBe('')
  pass(6000)
  expect(container.textContent).toBe('quiet for 6.0 s')
  rerender(<QuietNote call={{ ...reporting(3), status: 'cancelling' }} />)
  expect(container.textContent).toBe('')
})

test('of a call that never reports its clock says enough', () => {
  vi.useFakeTimers()
  const { container } = render(<QuietNote call={silent} />)
  pass(60_000)
  expect(container.textContent).toBe('')
})

function reporting(value: number): ToolCallView {
  return { ...silent, progress: { value } }
}

function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}
