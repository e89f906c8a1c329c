import fc from 'fast-check'
import type { BrokenRule } from './judge.ts'
import { modes } from './modes/modes.ts'
import type { Plan } from './plan.ts'
import { anyPlan } from './plans/any-plan.ts'
import { type Played, play } from './play.ts'
import type { Injections } from './world/injections.ts'

export interface SimulateOptions {
  readonly runs: number
  readonly seed: number
  /** Stop at the first failure without looking for a smaller plan. */
  readonly hurry?: boolean
  /** Plays a plan and returns the broken rules. Default: `play`. */
  readonly playOne?: (plan: Plan) => Promise<Played>
  /** Whether a broken rule in a plan is to be ignored. Default: never. */
  readonly excuse?: (plan: Plan) => Promise<boolean>
}

/** The result of many plans. */
export interface Simulated {
  readonly runs: number
  readonly events: number
  readonly steps: number
  /** CPU time, so that other processes do not change it. */
  readonly cpuMs: number
  readonly injections: Injections
  readonly failure: Failure | null
}

export interface Failure {
  readonly plan: Plan
  readonly broken: readonly BrokenRule[]
  /** With this seed and path fast-check generates the same plan again. */
  readonly seed: number
  readonly path: string
  /** How many plans were played before the first that failed. */
  readonly after: number
  readonly shrinks: number
}

/** Plays as many plans as asked for, or until a rule is broken; then looks for the smallest plan that breaks one. */
export async function simulate(options: SimulateOptions): Promise<Simulated> {
  const { runs, seed, hurry = false, playOne = play, excuse } = options
  const injections: Injections = new Map()
  const total = { runs: 0, events: 0, steps: 0 }
  const started = process.cpuUsage()
  const spent = (): number => {
    const { user, system } = process.cpuUsage(started)
    return (user + system) / 1000
  }
  let failed = false
  let after = 0
  let cpuMs = 0
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
      if (await excuse?.(plan)) return true
      failed = true
      after = total.runs
      cpuMs = spent()
    }
    return !failed
  })
  const details = await fc.check(property, { numRuns: runs, seed, endOnFailure: hurry })
  // Plans that are played to find a smaller one do not count.
  if (!failed) cpuMs = spent()
  const [plan] = details.counterexample ?? []
  if (!plan) return { ...total, cpuMs, injections, failure: null }
  const { broken } = await playOne(plan)
  const path = details.counterexamplePath ?? ''
  const failure = { plan, broken, seed, path, after, shrinks: details.numShrinks }
  return { ...total, cpuMs, injections, failure }
}

/** The results of several threads as one. */
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
    cpuMs: sum((part) => part.cpuMs),
    injections,
    failure: parts.find((part) => part.failure)?.failure ?? null,
  }
}

/** One thread's part of the work, as plain data. */
export interface Share {
  readonly runs: number
  readonly seed: number
  readonly mode?: string
}

export function simulateShare({ runs, seed, mode }: Share): Promise<Simulated> {
  // Most errors here are thrown on purpose, and their stacks are never read; making them takes time.
  Error.stackTraceLimit = 0
  const playOne = mode === undefined ? undefined : modes[mode]
  return simulate({ runs, seed, ...(playOne && { playOne }) })
}
