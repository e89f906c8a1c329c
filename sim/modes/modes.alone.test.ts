import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Plan } from '../plan.ts'
import { anyPlan } from '../plans/any-plan.ts'
import { play } from '../play.ts'
import { readable } from '../readable.ts'
import { type Mode, modes, playPairs } from './modes.ts'
import { scripts, scriptWith } from './scripts.ts'

vi.mock(import('../../packages/core/src/kernel/fold.ts'), async (importOriginal) => {
  const { createRefold } = await import('./refolding.ts')
  const { fold } = await importOriginal()
  return { fold: createRefold(fold) }
})

const seconds = 60_000

/** A mode follows the log of one page. Of several pages each has its own until it is stored. */
const anyPlanOfOnePage = anyPlan.filter(({ pages }) => !pages)

test('a script meets each of the cases that it is there for', async () => {
  for (const script of scripts) {
    const { log, broken } = await play(script)

    const types = new Set(log.map((event) => event.type))
    expect(broken).toEqual([])
    expect(types).toContain('tool_approval_resolved')
    expect(types).toContain('auto_retry_start')
    expect(types).toContain('queue_update')
    expect(log.findLast((event) => event.type === 'agent_end')?.reason).toBe('stop')
  }
})

test('[I20] a stop before any step of a script ends it, with every strategy', {
  timeout: seconds,
}, async () => {
  for (const script of scripts) expect(await brokenIn('abort', script)).toEqual([])
})

test('[I29] [I38] what a page has stored after any event can be continued', {
  timeout: seconds,
}, async () => {
  for (const script of scripts) expect(await brokenIn('crash', script)).toEqual([])
})

test('[I15] [I29] two faults in one session break no rule, whichever they are', {
  timeout: seconds,
}, async () => {
  const sample = fc.asyncProperty(fc.nat({ max: 19 }), async (from) => {
    expect(await playPairs(scriptWith({}), { step: 20, from })).toEqual([])
  })
  await fc.assert(sample, { numRuns: 1 })
})

test.for([
  ['[I6]', 'refold', 25],
  ['[I34]', 'twice', 50],
  ['[I33]', 'single', 80],
  ['[L4]', 'turns', 120],
  ['[I35]', 'again', 50],
  ['[I20]', 'abort', 8],
  ['[I29]', 'crash', 15],
] as const)(
  '%s sessions of every kind keep the rules, mode %s',
  { timeout: seconds },
  async ([, name, numRuns]) => {
    await fc.assert(
      fc.asyncProperty(anyPlanOfOnePage, async (plan) => {
        expect(await brokenIn(name, plan), readable(plan)).toEqual([])
      }),
      { numRuns },
    )
  },
)

test('[I6] of several pages the log of one is compared, mode refold', async () => {
  const answer = { parts: [{ say: 'Let me see.' }], end: { stop: 'stop' }, paceMs: 1 } as const
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [], appends: [], answers: [answer], diskMs: 1 },
    actions: [
      { at: { seq: 0 }, do: 'open_page', by: 0 },
      { at: { ms: 0 }, do: 'open_page', by: 0 },
    ],
    pages: { messages: [] },
  }

  expect(await brokenIn('refold', plan)).toEqual([])
})

test('[I6] an output that is checked again sets a timer in both, mode refold', async () => {
  const says = [0, 20, 60, 20, 0].map(
    (afterMs) => ({ say: ['update'], times: 1, afterMs }) as const,
  )
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [], files: [], appends: [] },
    answers: [
      { parts: [{ call: 'work', does: 'reports', ms: 0, says }], end: { stop: 'tool_use' } },
    ],
    output: { schema: 'json', validates: 'lets', maxRepairs: 0, isNative: false },
    actions: [{ at: { ms: 107 }, do: 'retry', pick: 0 }],
  }

  expect(await brokenIn('refold', plan)).toEqual([])
})

test('[I34] a message that comes twice is acknowledged twice, which is no answer, mode twice', async () => {
  const says = [
    { say: ['update'], times: 9, afterMs: 0 },
    { say: ['update'], times: 12, afterMs: 60 },
    { say: ['stored'], times: 3, afterMs: 0 },
    { say: ['update'], times: 1, afterMs: 60 },
  ] as const
  const plan: Plan = {
    ...{ seed: 0, options: { updateIntervalMs: 0 }, starts: [], actions: [], appends: [] },
    answers: [
      { parts: [{ call: 'work', does: 'reports', ms: 0, says }], end: { stop: 'tool_use' } },
    ],
  }

  expect(await brokenIn('twice', plan)).toEqual([])
})

async function brokenIn(name: string, plan: Parameters<Mode>[0]) {
  const played = await modes[name]?.(plan)
  return played?.broken.map(({ rule, why }) => `${rule}: ${why}`)
}
