import { expect, test } from 'vitest'
import type { Plan } from './plan.ts'
import { play } from './play.ts'
import { readable } from './readable.ts'
import { simulate } from './simulate.ts'
import { bigMessages, floodMessages } from './world/worker-scripts.ts'

test.for([
  ['the first', 1],
  ['others', 20_000],
] as const)(
  '[I1] [I2] [I3] [I4] [I5] [I7] [I8] [I9] [I10] [I11] [I12] [I13] [I14] [I15] [I16] [I17] [I18] [I19] [I20] [I21] [I22] [I23] [I24] [I25] [I26] [I27] [I28] [I31] [I33] [I34] [I36] [I37] [I38] [D75] [D76] [D77] [D78] [D79] no session breaks a rule: %s',
  async ([, seed]) => {
    const { failure, events } = await simulate({ runs: 300, seed })

    const broken = failure?.broken.map(({ rule, why }) => `${rule}: ${why}`) ?? []
    const plan = failure ? readable(failure.plan) : ''
    expect(broken, `npm run sim -- --seed ${seed}\n${plan}`).toEqual([])
    expect(events).toBeGreaterThan(3000)
  },
)

test('[I25] an answer is checked once more for who asked for it, after the run and a later one', async () => {
  const answer = { parts: [{ answer: 'fits' }], end: { stop: 'stop' } } as const
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [], answers: [answer, answer] },
    output: { schema: 'live', validates: 'slow', maxRepairs: 0, isNative: false },
    actions: [{ at: { ms: 40 }, do: 'regenerate' }],
    appends: [{ append: 0, fault: 'slow', ms: 400 }],
  }

  expect((await play(plan)).broken).toEqual([])
})

test('[I25] a page that is disposed while it opens takes nothing from the next one', async () => {
  const plan: Plan = {
    ...{ seed: 0, options: {}, starts: [], appends: [], diskMs: 1 },
    answers: [{ parts: [{ say: 'Hm.' }], end: { stop: 'stop' }, paceMs: 30 }],
    actions: [
      { at: { seq: 3 }, do: 'reload', how: 'disposed' },
      { at: { seq: 3 }, do: 'reload', how: 'disposed' },
    ],
  }

  expect((await play(plan)).broken).toEqual([])
})

test.each([
  ['drowns', 'a flood', floodMessages('')],
  ['too_big', 'a message over a limit', bigMessages('')],
] as const)('[W10] %s: %s of every kind ends the call as crashed', async (does, _, kinds) => {
  // Which kind it is depends on how long the call works.
  for (const kind of kinds.keys()) {
    const answer = { parts: [{ call: 'work', does, ms: kind }], end: { stop: 'tool_use' } } as const
    const base = { seed: 0, options: {}, starts: [], appends: [], files: [] }

    const { broken, log } = await play({ ...base, actions: [], answers: [answer] })

    const ends = log.flatMap((one) => (one.type === 'tool_execution_end' ? [one.errorKind] : []))
    expect({ broken, ends }, `kind ${kind}`).toEqual({ broken: [], ends: ['crashed'] })
  }
})
