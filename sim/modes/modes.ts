import type { BrokenRule } from '../judge.ts'
import type { ActionPlan, Plan } from '../plan.ts'
import type { Played } from '../play.ts'
import { play } from '../play.ts'
import { crashEverywhere } from './crash.ts'
import { refolding } from './refolding.ts'

/** A way to play a plan and see more. What is broken is broken in the plan, in this mode. */
export type Mode = (plan: Plan) => Promise<Played>

/** Every mode of `--mode`, by its name. */
export const modes: { readonly [name: string]: Mode } = {
  /** After every event the state is made anew from the serialised log: the same log, byte for byte. */
  refold: async (plan) => {
    const usual = await play(plan)
    refolding.on = true
    try {
      return withDifference('I6', usual, await play(plan))
    } finally {
      refolding.on = false
    }
  },
  /** The same plan twice: the same log, byte for byte. */
  again: async (plan) => withDifference('I35', await play(plan), await play(plan)),
  /** A worker says everything twice: the durable log does not change. */
  twice: async (plan) => {
    const usual = await play(plan)
    const twice = await play(plan, { everyMessageTwice: true })
    return withDifference('I34', durableOnly(usual), durableOnly(twice))
  },
  /** Every event is stored by itself. */
  single: (plan) => play(plan, { oneEventPerAppend: true }),
  /** The user stops the run before every step. */
  abort: (plan) => atEveryStep(plan, { do: 'abort' }),
  /** The page goes away after every durable event, and what is stored is gone on with. */
  crash: crashEverywhere,
}

/** Plays a plan once, and then again for each of its steps with something happening there. */
export async function atEveryStep(plan: Plan, what: { readonly do: 'abort' }): Promise<Played> {
  const usual = await play(plan)
  for (let step = 0; step <= usual.steps; step += 1) {
    if (usual.broken.length > 0) break
    const action: ActionPlan = { at: { step }, ...what }
    const played = await play({ ...plan, actions: [...plan.actions, action] })
    if (played.broken.length > 0) return { ...played, broken: at(`step ${step}`, played.broken) }
  }
  return usual
}

/** What is broken, and where it was when something was done to it. */
export function at(place: string, broken: readonly BrokenRule[]): readonly BrokenRule[] {
  return broken.map(({ rule, why }) => ({ rule, why: `${why} (${place})` }))
}

function durableOnly(played: Played): Played {
  return { ...played, log: played.log.filter((event) => event.sub === undefined) }
}

function withDifference(rule: string, usual: Played, other: Played): Played {
  const broken = [...usual.broken, ...other.broken]
  if (broken.length > 0) return { ...other, broken }
  const length = Math.max(usual.log.length, other.log.length)
  for (let index = 0; index < length; index += 1) {
    const was = JSON.stringify(usual.log[index])
    const is = JSON.stringify(other.log[index])
    if (was !== is)
      return { ...other, broken: [{ rule, why: `event ${index}: ${was} became ${is}` }] }
  }
  return other
}
