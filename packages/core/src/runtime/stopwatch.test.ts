import { expect, test } from 'vitest'
import { starts, call as toolCall } from '../kernel/log.fixtures.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { createStopwatch } from './stopwatch.ts'

const [accepted] = starts(toolCall('call_1'))

function started() {
  const clock = fakeClock()
  const stopwatch = createStopwatch(clock)
  if (accepted) stopwatch.note(accepted)
  return { clock, stopwatch, timing: () => stopwatch.timingOf('call_1') }
}

test('the time of a call is that of its slot, its start and its code, without hooks that look at its result', () => {
  const { clock, stopwatch, timing } = started()

  clock.advance(5)
  stopwatch.noteOpening('call_1')
  clock.advance(7)
  stopwatch.noteRunning('call_1')
  clock.advance(11)
  stopwatch.noteSettled('call_1')
  clock.advance(1000)

  expect(timing()).toEqual({ queuedMs: 5, startMs: 7, runMs: 11 })
})

test('another attempt is timed from its own start; the time before it counts as waiting', () => {
  const { clock, stopwatch, timing } = started()
  stopwatch.noteOpening('call_1')
  stopwatch.noteRunning('call_1')
  clock.advance(100)
  stopwatch.noteSettled('call_1')
  clock.advance(50)

  stopwatch.noteOpening('call_1')
  clock.advance(1)
  stopwatch.noteRunning('call_1')
  clock.advance(2)

  expect(timing()).toEqual({ queuedMs: 150, startMs: 1, runMs: 2 })
})

test('a phase that never came took no time', () => {
  const { clock, stopwatch, timing } = started()
  clock.advance(5)
  expect(timing()).toEqual({ queuedMs: 5, startMs: 0, runMs: 0 })

  stopwatch.noteOpening('call_1')
  clock.advance(3)
  stopwatch.noteSettled('call_1')
  expect(timing()).toEqual({ queuedMs: 5, startMs: 3, runMs: 0 })
  expect(stopwatch.timingOf('call_2')).toEqual({ queuedMs: 0, startMs: 0, runMs: 0 })
})
