import { expect, test } from 'vitest'
import { isDurable } from '../packages/core/src/kernel/events.ts'
import type { Plan } from './plan.ts'
import { play } from './play.ts'

test('[D93] pages that open at the same time, without locks that all know, come to rest', async () => {
  const plan: Plan = {
    ...{ seed: 0, options: {}, answers: [{ parts: [], end: { stop: 'stop' } }], starts: [] },
    actions: [
      { at: { seq: 0 }, do: 'open_page', by: 0 },
      { at: { ms: 61 }, do: 'open_page', by: 0 },
      { at: { ms: 61 }, do: 'open_page', by: 0 },
    ],
    ...{ pages: { ownLocks: true, messages: [] }, diskMs: 20, appends: [] },
  }

  expect((await play(plan)).broken).toEqual([])
})

test('[D75] a page that is replaced while it opens the session again does not write its log', async () => {
  const plan: Plan = {
    ...{ seed: 0, options: {}, answers: [{ parts: [], end: { stop: 'stop' } }], starts: [] },
    actions: [
      { at: { ms: 206 }, do: 'open_page', by: 0 },
      { at: { ms: 395 }, do: 'open_page', by: 0 },
      { at: { seq: 6 }, do: 'open_page', by: 0 },
      { at: { seq: 2 }, do: 'open_page', by: 0 },
      { at: { ms: 110 }, do: 'edit', pick: 4, by: 0 },
    ],
    ...{ pages: { ownLocks: true, messages: [] }, diskMs: 20 },
    ...{ appends: [], loads: [{ load: 2, fault: 'load_fails' }] },
  }

  expect((await play(plan)).broken).toEqual([])
})

test('[D3] [D82] a follower shows that its owner has no space, and what that has written once it has', async () => {
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [], pages: { messages: [] } },
    answers: [{ parts: [{ call: 'forever', does: 'fine', ms: 0 }], end: { stop: 'tool_use' } }],
    actions: [
      { at: { step: 0 }, do: 'open_page', by: 0 },
      { at: 'rest', do: 'retry', pick: 0, by: 0 },
      { at: 'rest', do: 'retry', pick: 0, by: 0 },
      { at: 'rest', do: 'retry_again', by: 0 },
    ],
    // The append of the last retry's start, and the second try of it.
    appends: [16, 17].map((append) => ({ append, fault: 'full', ms: 1 })),
  }

  const { broken, disk, log } = await play(plan)

  expect(broken).toEqual([])
  expect(disk()).toHaveLength(log.filter(isDurable).length)
})

test('[D137] what a call logged before a retry is shown of that attempt, also if its session ends with the retry', async () => {
  const says = [{ say: ['line'], times: 1, afterMs: 0 }] as const
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [] },
    answers: [
      {
        parts: [
          { call: 'work', does: 'reports', ms: 0, says },
          { call: 'work', does: 'fine', ms: 500 },
        ],
        end: { stop: 'tool_use' },
      },
    ],
    actions: [
      { at: { ms: 10 }, do: 'retry', pick: 1, by: 0 },
      { at: { ms: 11 }, do: 'delete', by: 0 },
    ],
    ...{ pages: { messages: [] }, appends: [] },
  }

  const { broken, log } = await play(plan)

  expect(log.at(-1)).toMatchObject({ type: 'tool_prepared', toolCallId: 'call_1' })
  expect(broken).toEqual([])
})

test('[D137] a follower need not show the end of a log that was not stored when its session was deleted', async () => {
  const says = [
    { say: ['line', 'update'], times: 1, afterMs: 0 },
    { say: ['update'], times: 1, afterMs: 0 },
  ] as const
  const end = { stop: 'tool_use' } as const
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [{ worker: 0, fault: 'ready_late' }], diskMs: 20 },
    answers: [
      { parts: [{ call: 'work', does: 'fine', ms: 0 }], end },
      { parts: [{ call: 'work', does: 'reports', ms: 0, says }], end },
    ],
    actions: [
      { at: { seq: 0 }, do: 'open_page', by: 0 },
      { at: { ms: 287 }, do: 'delete', by: 0 },
      { at: { seq: 21 }, do: 'close_page', how: 'disposed', by: 0 },
      { at: { seq: 0 }, do: 'open_page', by: 0 },
    ],
    ...{ pages: { messages: [] }, files: [], appends: [] },
  }

  const { broken, log } = await play(plan)

  expect(log.filter(({ type }) => type === 'tool_log')).toHaveLength(1)
  expect(broken).toEqual([])
})

test('[I1] [D86] a page that was replaced and reads the session again is judged as one that follows', async () => {
  const says = [{ say: ['update'], times: 1, afterMs: 60 }] as const
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [], diskMs: 3 },
    answers: [
      { parts: [{ call: 'work', does: 'reports', ms: 80, says }], end: { stop: 'tool_use' } },
    ],
    actions: [90, 96, 96].map((ms) => ({ at: { ms }, do: 'open_page', by: 0 }) as const),
    ...{ pages: { messages: [], ownLocks: true }, files: [], appends: [] },
  }

  expect((await play(plan)).broken).toEqual([])
})

test('[D3] a page that comes while an agent inside a call writes shows what that has written', async () => {
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [], pages: { messages: [] }, appends: [] },
    answers: [{ parts: [{ call: 'delegate', does: 'fine', ms: 0 }], end: { stop: 'tool_use' } }],
    sub: {
      answers: [{ parts: [{ call: 'work', does: 'fine', ms: 0 }], end: { broken: 'stalls' } }],
      deeper: [{ parts: [], end: { stop: 'stop' } }],
    },
    actions: [{ at: { ms: 3 }, do: 'open_page', by: 0 }],
  }

  expect((await play(plan)).broken).toEqual([])
})

test('[I25] a follower that has a call of an agent inside a call run once more hears how the run ends', async () => {
  const stop = { stop: 'stop' } as const
  const callsOf = (...names: readonly ('delegate' | 'work' | 'deeper')[]) => ({
    parts: names.map((call) => ({ call, does: 'fine', ms: 0 }) as const),
    end: { stop: 'tool_use' } as const,
  })
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [], pages: { messages: [] }, files: [], appends: [] },
    answers: [callsOf('delegate')],
    sub: { answers: [callsOf('work', 'deeper')], deeper: [{ parts: [], end: stop }] },
    actions: [
      { at: { ms: 0 }, do: 'open_page', by: 0 },
      { at: { ms: 4 }, do: 'retry', pick: 0, by: 1 },
    ],
  }

  const { broken, log } = await play(plan)

  expect(broken).toEqual([])
  expect(log.map(({ type }) => type)).toContain('tool_retry_requested')
})

test('[D100] what was stored in a deleted session is not expected in the next one, which its page opens unknowingly', async () => {
  const plan: Plan = {
    ...{ seed: 0, options: {}, answers: [{ parts: [], end: { stop: 'stop' } }], starts: [] },
    actions: [
      { at: { ms: 2 }, do: 'open_page', by: 0 },
      { at: { step: 6 }, do: 'delete', by: 0 },
      { at: { step: 0 }, do: 'cut_off', ms: 900, by: 0 },
      { at: 'rest', do: 'reload', how: 'disposed', by: 0 },
    ],
    ...{ pages: { ownLocks: true, messages: [] }, diskMs: 1, appends: [] },
  }

  expect((await play(plan)).broken).toEqual([])
})

test('[D82] a page that was replaced without a lock, and has no space, does not speak for the owner', async () => {
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [], diskMs: 1, pages: { ownLocks: true, messages: [] } },
    answers: [{ parts: [{ say: 'Let me see.' }], end: { stop: 'stop' } }],
    actions: [
      { at: { ms: 301 }, do: 'open_page', by: 0 },
      { at: { ms: 301 }, do: 'open_page', by: 0 },
    ],
    appends: [{ append: 1, fault: 'full', ms: 400 }],
  }

  expect((await play(plan)).broken).toEqual([])
})

test('[D3] a page that was replaced without a lock, and is ahead of its owner, does not hide what that streams', async () => {
  const parts = [{ say: 'Let me see.' }]
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [], diskMs: 1, pages: { ownLocks: true, messages: [] } },
    answers: [
      { parts, end: { stop: 'stop' }, paceMs: 200 },
      { parts, end: { broken: 'stalls' } },
    ],
    actions: [
      ...Array.from(
        { length: 15 },
        () => ({ at: { ms: 20 }, do: 'follow_up', text: 'More.', by: 0 }) as const,
      ),
      { at: { ms: 30 }, do: 'open_page', by: 0 },
      { at: { ms: 30 }, do: 'open_page', by: 0 },
      { at: { ms: 40 }, do: 'prompt', text: 'Go on.', by: 1 },
    ],
    appends: [{ append: 1, fault: 'slow', ms: 9000 }],
  }

  expect((await play(plan)).broken).toEqual([])
})

test('[D78] a page that was replaced without a lock, and works, does not refuse what its owner does', async () => {
  const answer = { parts: [{ say: 'Let me see.' }], end: { stop: 'stop' }, paceMs: 200 } as const
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [], diskMs: 1, pages: { ownLocks: true, messages: [] } },
    answers: [answer],
    actions: [
      { at: { ms: 20 }, do: 'follow_up', text: 'More.', by: 0 },
      { at: { ms: 30 }, do: 'open_page', by: 0 },
      { at: { ms: 30 }, do: 'open_page', by: 0 },
      { at: { ms: 40 }, do: 'prompt', text: 'Go on.', by: 1 },
    ],
    appends: [{ append: 1, fault: 'slow', ms: 9000 }],
  }

  expect((await play(plan)).broken).toEqual([])
})

test('[D61] a page that found no space to open a session shows what another one writes', async () => {
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [], appends: [], pages: { fullClaim: 1, messages: [] } },
    answers: [{ parts: [], end: { stop: 'stop' } }],
    actions: [
      { at: { seq: 0 }, do: 'open_page', by: 0 },
      { at: { seq: 0 }, do: 'close_page', how: 'disposed', by: 0 },
      { at: 'rest', do: 'open_page', by: 0 },
    ],
  }

  expect((await play(plan)).broken).toEqual([])
})

test('[D84] a page that found no space to open a session again shows no run that was cut off', async () => {
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [], pages: { fullClaim: 1, messages: [] } },
    answers: [{ parts: [{ call: 'work', does: 'fine', ms: 0 }], end: { stop: 'tool_use' } }],
    actions: [{ at: 'rest', do: 'open_page', by: 0 }],
    appends: [{ append: 1, fault: 'conflict', ms: 1 }],
  }

  expect((await play(plan)).broken).toEqual([])
})
