import { cleanup, render, renderHook } from '@testing-library/react'
import { Profiler, StrictMode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { formatElapsed, useElapsed } from './use-elapsed.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('counts in the element without rendering', () => {
  const rendered = vi.fn()
  const { container } = render(
    <Profiler id="clock" onRender={rendered}>
      <Clock from={1_000_000} />
    </Profiler>,
  )
  expect(container.textContent).toBe('0.0 s')

  vi.advanceTimersByTime(1500)

  expect(container.textContent).toBe('1.5 s')
  expect(rendered).toHaveBeenCalledTimes(1)
})

test('[I25] all clocks of a page share one timer, and at rest there is none', () => {
  const { rerender, unmount } = render(<Clocks from={[1_000_000, 1_000_000, 999_000]} />)
  expect(vi.getTimerCount()).toBe(1)

  rerender(<Clocks from={[1_000_000]} />)
  expect(vi.getTimerCount()).toBe(1)
  rerender(<Clocks from={[]} />)
  expect(vi.getTimerCount()).toBe(0)
  rerender(<Clocks from={[1_000_000]} />)
  expect(vi.getTimerCount()).toBe(1)
  unmount()

  expect(vi.getTimerCount()).toBe(0)
})

test('[I25] a clock that was stopped shows the whole time and needs no timer', () => {
  const { container, rerender } = render(<Clock from={1_000_000} />)
  vi.advanceTimersByTime(700)

  rerender(<Clock from={1_000_000} to={1_002_300} />)

  expect(container.textContent).toBe('2.3 s')
  expect(vi.getTimerCount()).toBe(0)
})

test('a clock that has not started shows nothing', () => {
  const { container, rerender } = render(<Clock />)
  expect(container.textContent).toBe('')
  expect(vi.getTimerCount()).toBe(0)

  rerender(<Clock from={999_000} />)

  expect(container.textContent).toBe('1.0 s')
})

test('works in StrictMode', () => {
  const { container, unmount } = render(
    <StrictMode>
      <Clock from={1_000_000} />
    </StrictMode>,
  )
  expect(vi.getTimerCount()).toBe(1)

  vi.advanceTimersByTime(200)
  expect(container.textContent).toBe('0.2 s')
  unmount()

  expect(vi.getTimerCount()).toBe(0)
})

test('[I25] stops where React 18 calls its ref with null, because that calls nothing that a ref returns', () => {
  const { result } = renderHook(() => useElapsed(1_000_000))

  expect(result.current(document.createElement('span'))).toBeUndefined()
  expect(vi.getTimerCount()).toBe(1)
  result.current(null)

  expect(vi.getTimerCount()).toBe(0)
})

test.for([
  [-5, '0.0 s'],
  [0, '0.0 s'],
  [449, '0.4 s'],
  [12_300, '12.3 s'],
  [59_999, '59.9 s'],
  [60_000, '1 min 00 s'],
  [125_900, '2 min 05 s'],
] as const)('%d ms are written as %s', ([ms, text]) => {
  expect(formatElapsed(ms)).toBe(text)
})

function Clock({ from, to }: { readonly from?: number; readonly to?: number }) {
  return <span ref={useElapsed(from, to)} />
}

function Clocks({ from }: { readonly from: readonly number[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the clocks have no other identity
  return from.map((start, index) => <Clock key={index} from={start} />)
}
