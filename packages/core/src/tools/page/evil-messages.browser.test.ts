import { expect, test } from 'vitest'
import type { JsonObject } from '../../internal/json.ts'
import { callTo, createRecorder } from '../fixtures/calls.fixtures.ts'
import { evil, floodSize } from '../fixtures/evil.fixtures.ts'
import type { Execution } from '../host.ts'
import { createWorkerHost } from './worker-host.ts'

const start = () =>
  new Worker(new URL('../fixtures/evil.fixtures.worker.ts', import.meta.url), { type: 'module' })

/** What is said of a flood: events to be stored are counted by themselves, too. */
const tooMany = /2000 messages|200 events to be stored/

/** So many messages are more than an honest start has, and too few to be ended for. */
const inTheMiddle = 50

const kinds = [
  'alive',
  'running',
  'ready',
  'update',
  'progress',
  'log',
  'custom',
  'settled, unreadable',
  'settled, of another call',
  'its own',
] as const

test.for(kinds)('[W10] a flood ends its call, and little of it is looked at: %s', async (flood) => {
  const { done, dispatched } = run({ flood })

  expect(await done).toEqual({ kind: 'crashed', message: expect.stringMatching(tooMany) })

  // What waited in the page's queue does not arrive any more: a worker that starts after it is heard to its end.
  const atEnd = dispatched()
  expect(await run({ from: 1, to: 1 }).done).toMatchObject({ kind: 'returned' })
  expect(dispatched()).toBe(atEnd)
  expect(atEnd).toBeLessThan(floodSize / 4)
})

test('[W9] a flood of the console is coalesced, and its call goes well', async () => {
  const { done, dispatched } = run({ flood: 'console' })

  expect(await done).toMatchObject({ kind: 'returned' })
  expect(dispatched()).toBeLessThan(500)
})

test.for(kinds)('[I20] a call is stopped in the middle of its flood: %s', async (flood) => {
  // The listener of the call does not hear of most kinds.
  const { done, dispatched } = run({ flood }, ({ stop }) => {
    if (dispatched() === inTheMiddle) stop()
  })

  expect(await done).toEqual({ kind: 'stopped', how: 'terminated' })
  expect(dispatched()).toBeLessThan(floodSize / 4)
})

/** The messages made from so many numbers. */
const shapes = 100

test('[I6] [I34] [W18] whatever a real worker posts, its call ends, and only bounded JSON arrives', async () => {
  // Another number tries others.
  const seed = 1
  const found: string[] = []
  const ends = { returned: 0, crashed: 0 }

  for (let from = seed; from < seed + shapes; ) {
    const to = Math.min(from + 20, seed + shapes)
    const { done, recorder } = run({ from, to })
    const settlement = await done
    const reached = Math.max(
      from,
      ...recorder.notices.flatMap((one) =>
        one.type === 'progress' && one.progress.value !== undefined ? [one.progress.value] : [],
      ),
    )
    if (settlement.kind === 'returned') {
      ends.returned += 1
      from = to
    } else {
      ends.crashed += 1
      from = reached + 1
    }
    for (const notice of recorder.notices) {
      const text = JSON.stringify(notice)
      if (text.length > 50_000_000) found.push(`${reached}: ${notice.type} has ${text.length}`)
      // As texts: a comparison of millions of values would take minutes.
      else if (JSON.stringify(JSON.parse(text)) !== text) found.push(`${reached}: no JSON`)
    }
    if (settlement.kind === 'crashed' && settlement.message.length > 3000) {
      found.push(`${reached}: crashed with ${settlement.message.length} characters`)
    }
  }

  expect(found, `seed ${seed}`).toEqual([])
  expect(ends.returned, `seed ${seed}`).toBeGreaterThan(0)
  expect(ends.crashed, `seed ${seed}`).toBeGreaterThan(0)
})

/** `onMessage` is called with each message of the worker, before the library reads it. */
function run(input: JsonObject, onMessage: (execution: Execution) => void = () => {}) {
  let messages = 0
  const spawn = () => {
    const worker = start()
    worker.addEventListener('message', () => {
      messages += 1
      onMessage(execution)
    })
    return worker
  }
  const execution = createWorkerHost([evil], spawn).open(evil, { graceMs: 50 })
  const recorder = createRecorder()
  const done = execution.run(callTo('evil', input), recorder)
  return { recorder, done, dispatched: () => messages }
}
