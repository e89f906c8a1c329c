import fc from 'fast-check'
import type { BrokenRule } from './judge.ts'
import type { Plan } from './plan.ts'
import { anyPlan } from './plans/any-plan.ts'
import type { Played } from './play.ts'
import { play } from './play.ts'
import type { Injections } from './world/injections.ts'

export interface SimulateOptions {
  readonly runs: number
  readonly seed: number
  /** Stop at the first failure without looking for a smaller plan. */
  readonly hurry?: boolean
  /** Plays a plan and says what is broken. Default: `play`. */
  readonly playOne?: (plan: Plan) => Promise<Played>
}

/** What many plans gave. */
export interface Simulated {
  readonly runs: number
  readonly events: number
  readonly steps: number
  readonly ms: number
  readonly injections: Injections
  readonly failure: Failure | null
}

export interface Failure {
  readonly plan: Plan
  readonly broken: readonly BrokenRule[]
  /** What makes fast-check come to the same plan again. */
  readonly seed: number
  readonly path: string
  /** How many plans were played before the first that failed. */
  readonly after: number
  readonly shrinks: number
}

/** Plays as many plans as asked for, or until a rule is broken; then looks for the smallest plan that breaks one. */
export async function simulate(options: SimulateOptions): Promise<Simulated> {
  const { runs, seed, hurry = false, playOne = play } = options
  const injections: Injections = new Map()
  const total = { runs: 0, events: 0, steps: 0 }
  const started = performance.now()
  let failed = false
  let after = 0
  let ms = 0
  const property = fc.asyncProperty(anyPlan, async (plan) => {
    const played = await playOne(plan)
    if (failed) return played.broken.length === 0
    total.runs += 1
    total.events += played.log.length
    total.steps += played.steps
    for (const [key, count] of played.injections) {
      injections.set(key, (injections.get(key) ?? 0) + count)
    }
    if (played.broken.length > 0) {
      failed = true
      after = total.runs
      ms = performance.now() - started
    }
    return !failed
  })
  const details = await fc.check(property, { numRuns: runs, seed, endOnFailure: hurry })
  // Looking for a smaller plan does not count.
  if (!failed) ms = performance.now() - started
  const [plan] = details.counterexample ?? []
  if (!plan) return { ...total, ms, injections, failure: null }
  const { broken } = await playOne(plan)
  const path = details.counterexamplePath ?? ''
  const failure = { plan, broken, seed, path, after, shrinks: details.numShrinks }
  return { ...total, ms, injections, failure }
}

/** The results of several threads as one. The time is that of the slowest, as if each had a core of its own. */
export function joinSimulated(parts: readonly Simulated[]): Simulated {
  const injections: Injections = new Map()
  for (const part of parts) {
    for (const [key, count] of part.injections) {
      injections.set(key, (injections.get(key) ?? 0) + count)
    }
  }
  const sum = (of: (part: Simulated) => number): number => parts.reduce((a, b) => a + of(b), 0)
  return {
    runs: sum((part) => part.runs),
    events: sum((part) => part.events),
    steps: sum((part) => part.steps),
    ms: sum((part) => part.ms),
    injections,
    failure: parts.find((part) => part.failure)?.failure ?? null,
  }
}
