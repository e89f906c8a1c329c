import { expect, test } from 'vitest'
import { type Lift, lifted } from './event-versions.ts'
import { readStoredEvent } from './read-stored-event.ts'

/** Two changes that a later release might have made: a field that got another name, and one that was added. */
const changes: readonly Lift[] = [
  ({ boot, ...event }) => ({ ...event, bootId: boot }),
  (event) => ({ ...event, turn: 0 }),
]
const place = { seq: 0, ts: 1, sessionId: 'session_1', runId: null }
const oldest = { v: 1, ...place, type: 'session_opened', boot: 'boot_1' }
const newest = { v: 3, ...place, type: 'session_opened', bootId: 'boot_1', turn: 0 }

test('[D52] an event of an older version is lifted step by step when it is read, and stays as it is', () => {
  const before = structuredClone(oldest)

  expect(lifted(oldest, changes)).toEqual(newest)
  expect(oldest).toEqual(before)
  expect(readStoredEvent(oldest, 0, changes)).toEqual(newest)
})

test('[D52] one of the version between is lifted by what came after it', () => {
  expect(lifted({ v: 2, ...place, type: 'session_opened', bootId: 'boot_1' }, changes)).toEqual(
    newest,
  )
})

test('[D52] one of this version is read as it is, with what it holds that is not known', () => {
  const event = { ...newest, mark: { of: 'a later release' } }

  expect(readStoredEvent(event, 0, changes)).toBe(event)
})

test.each([undefined, -1, 'x', { toString: 1 }, [[]]])(
  '[D53] one with the number %j is refused',
  (seq) => {
    expect(readStoredEvent({ ...newest, v: 1, seq }, 0)).toMatchObject({
      kind: 'damaged',
      message: expect.stringContaining('is damaged at event 0: its seq is '),
    })
  },
)

test('[D51] one of a later version is refused with what to do', () => {
  expect(readStoredEvent({ ...newest, v: 4 }, 0, changes)).toMatchObject({
    kind: 'newer',
    message:
      'The stored session was written by a newer version of this app from event 0 on, which has a version above 3, and is shown up to there. Reload this page to get that version.',
  })
})
