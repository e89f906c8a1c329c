import { expect, test } from 'vitest'
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
