import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createSaidReader,
  problemWithReceived,
  receivedIn,
  type Said,
} from '../../../rules/said.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { callTo } from '../fixtures/calls.fixtures.ts'
import { type TalkKind, type TalkStep, talk, talkKinds } from '../fixtures/talk.fixtures.ts'
import type { CallNotice } from '../host.ts'
import { createCallLog } from './call-log.ts'
import { coalesce } from './coalesce.ts'
import { createContext } from './context.ts'
import { createCredit } from './credit.ts'

/** What happens to a tool's reports: it says something, or the page acknowledges messages. */
type Step = TalkStep | { readonly acknowledge: number }

const anyTalk = (maxTimes: number): fc.Arbitrary<TalkStep> =>
  fc.record({
    say: fc.array(fc.constantFrom<TalkKind>(...talkKinds), { minLength: 1, maxLength: 4 }),
    times: fc.integer({ min: 1, max: maxTimes }),
    afterMs: fc.constantFrom(0, 0, 1, 16, 49, 50, 400),
  })
const anyAcknowledgement = fc.record({ acknowledge: fc.integer({ min: 1, max: 8 }) })
const anyInterval = fc.constantFrom(0, 50, 50, 200)

test('[W9] [I39] [S001-3] [S001-12] [S001-13] all that is said arrives in its order, but for repeated numbers and updates', () => {
  const anySteps = fc.array(fc.oneof(anyTalk(5), anyAcknowledgement), { maxLength: 60 })

  fc.assert(
    fc.property(anySteps, anyInterval, (steps, everyMs) => {
      const { said, received } = play(steps, everyMs)

      expect(received.filter((one) => one.type === 'log' && one.dropped > 0)).toEqual([])
      expect(problem(said, received)).toBeNull()
    }),
    { numRuns: 300 },
  )
})

test('[W9] a flood of anything arrives in its order, and in its place the number of what was left out', () => {
  const anyFlood = fc.array(fc.oneof(anyTalk(5), anyTalk(800), anyAcknowledgement), {
    maxLength: 20,
  })

  fc.assert(
    fc.property(anyFlood, anyInterval, (steps, everyMs) => {
      const { said, received, unacknowledged } = play(steps, everyMs)

      expect(problem(said, received)).toBeNull()
      expect(received.filter((one) => one.type === 'custom' && one.durable)).toHaveLength(
        Math.min(200, said.filter(({ text }) => text.includes('"durable":true')).length),
      )
      for (const one of received) {
        if (one.type === 'log') expect(one.lines.length).toBeLessThanOrEqual(500)
      }
      expect(unacknowledged.running).toBeLessThanOrEqual(8)
      expect(unacknowledged.ended).toBeLessThanOrEqual(108)
    }),
    { numRuns: 60 },
  )
})

function problem(said: readonly Said[], received: readonly CallNotice[]): string | null {
  return problemWithReceived(said, received.flatMap(receivedIn), true)
}

function play(steps: readonly Step[], updateIntervalMs: number) {
  const clock = fakeClock()
  const credit = createCredit()
  const received: CallNotice[] = []
  let acknowledged = 0
  const outlet = coalesce((notice) => received.push(notice), { clock, credit, updateIntervalMs })
  const context = createContext({
    request: callTo('talk', {}),
    signal: new AbortController().signal,
    outlet,
    log: createCallLog(outlet, clock),
  })
  const read = createSaidReader(updateIntervalMs > 0)
  const said: Said[] = []
  let n = 0
  for (const step of steps) {
    if ('acknowledge' in step) {
      const messages = Math.min(step.acknowledge, received.length - acknowledged)
      acknowledged += messages
      credit.refill(messages)
      continue
    }
    clock.advance(step.afterMs)
    for (const kind of Array.from({ length: step.times }, () => step.say).flat()) {
      n += 1
      try {
        said.push(read(talk(context, kind, n)))
      } catch (error) {
        // One too many that is to be stored: the tool gets an error.
        expect(error).toBeInstanceOf(TypeError)
      }
    }
  }
  const running = received.length - acknowledged
  void outlet.close()
  const ended = received.length - acknowledged
  // The page acknowledges what it received, as long as there is more.
  while (acknowledged < received.length) {
    const messages = Math.min(8, received.length - acknowledged)
    acknowledged += messages
    credit.refill(messages)
  }
  return { said, received, unacknowledged: { running, ended } }
}
