import { expect, onTestFinished, test, vi } from 'vitest'
import { fakeClock } from '../testing/fake-clock.ts'
import { pageSchedule } from './publish.ts'

test('a frame comes with the next animation frame, and leaves no timer', () => {
  const { clock, frames, schedule } = create()
  const called = vi.fn()

  schedule.nextFrame(called)
  expect(called).not.toHaveBeenCalled()
  frames.show()
  clock.advance(1000)

  expect(called).toHaveBeenCalledTimes(1)
  expect(clock.pending()).toBe(0)
})

test('a hidden tab gets no frames, so a timer replaces them', () => {
  const { clock, frames, schedule } = create()
  const called = vi.fn()

  schedule.nextFrame(called)
  clock.advance(249)
  expect(called).not.toHaveBeenCalled()
  clock.advance(1)
  frames.show()

  expect(called).toHaveBeenCalledTimes(1)
  expect(frames.pending()).toBe(0)
})

test('a cancelled frame does not come, and leaves nothing behind', () => {
  const { clock, frames, schedule } = create()
  const called = vi.fn()

  schedule.nextFrame(called)()
  frames.show()
  clock.advance(1000)

  expect(called).not.toHaveBeenCalled()
  expect([clock.pending(), frames.pending()]).toEqual([0, 0])
})

test('without frames a timer of the same length replaces them', () => {
  const clock = fakeClock()
  const called = vi.fn()

  const cancel = pageSchedule(clock).nextFrame(called)
  clock.advance(16)

  expect(called).toHaveBeenCalledTimes(1)
  cancel()
  expect(clock.pending()).toBe(0)
})

test('soon is the next microtask', async () => {
  const order: string[] = []

  pageSchedule(fakeClock()).soon(() => order.push('soon'))
  order.push('now')
  await Promise.resolve()

  expect(order).toEqual(['now', 'soon'])
})

function create() {
  const clock = fakeClock()
  const frames = fakeFrames()
  return { clock, frames, schedule: pageSchedule(clock) }
}

function fakeFrames() {
  const waiting = new Map<number, () => void>()
  let last = 0
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => {
    waiting.set(++last, callback)
    return last
  })
  vi.stubGlobal('cancelAnimationFrame', (id: number) => waiting.delete(id))
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  return {
    pending: () => waiting.size,
    show: () => {
      const due = [...waiting.values()]
      waiting.clear()
      for (const callback of due) callback()
    },
  }
}
