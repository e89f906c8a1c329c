import { mersenne } from 'pure-rand/generator/mersenne'
import type { z } from 'zod'
import type { monteCarlo } from './definitions.ts'

type ExperimentOptions = z.output<typeof monteCarlo.inputSchema>

/** A random `trial` that succeeds or not. The estimate is `scale` times the share of successes. */
export function createExperiment(options: ExperimentOptions, random: Random) {
  switch (options.experiment) {
    case 'pi':
      return { trial: () => inCircle(random), scale: 4 }
    case 'birthday':
      return { trial: createBirthdays(options.people, random), scale: 1 }
    case 'dice':
      return { trial: () => sumOfDice(options.dice, random) >= options.atLeast, scale: 1 }
  }
}

function inCircle(random: Random): boolean {
  const x = random()
  const y = random()
  return x * x + y * y < 1
}

function createBirthdays(people: number, random: Random): () => boolean {
  // For each day, the trial in which it was last a birthday. So the array needs no clearing between trials.
  const lastSeen = new Float64Array(365)
  let trial = 0
  return () => {
    trial++
    for (let person = 0; person < people; person++) {
      const day = Math.floor(random() * 365)
      if (lastSeen[day] === trial) return true
      lastSeen[day] = trial
    }
    return false
  }
}

function sumOfDice(dice: number, random: Random): number {
  let sum = 0
  for (let die = 0; die < dice; die++) sum += 1 + Math.floor(random() * 6)
  return sum
}

/** Estimates the true value from `hits` of `trials`. */
export function estimateOf(hits: number, trials: number, scale: number) {
  const share = hits / trials
  return {
    estimate: share * scale,
    standardError: Math.sqrt((share * (1 - share)) / trials) * scale,
  }
}

/** Returns numbers from 0 up to, but not including, 1. */
export type Random = () => number

/** A seeded generator: a seed gives the same sequence in every browser. */
export function createRandom(seed: number): Random {
  // With this generator, adjacent seeds give unrelated sequences.
  const generator = mersenne(seed)
  return () => (generator.next() >>> 0) / 2 ** 32
}
