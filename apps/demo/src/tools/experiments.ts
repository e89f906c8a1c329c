import { mersenne } from 'pure-rand/generator/mersenne'
import type { z } from 'zod'
import type { monteCarlo } from './definitions.ts'

type ExperimentOptions = z.output<typeof monteCarlo.inputSchema>

const mostParts = 8
const largestBlock = 65_536

/**
 * A part of an experiment. Its trials come in blocks, each with random numbers of its own, and the parts take turns in
 * taking one. So all parts together make the same trials, however many they are.
 */
export function createPart(options: ExperimentOptions, seed: number) {
  const { trials: all, part, parts } = options
  const size = Math.min(largestBlock, Math.ceil(all / mostParts))
  const blocks: { readonly seed: number; readonly trials: number }[] = []
  for (let block = part - 1; part <= parts && block * size < all; block += parts) {
    // Blocks side by side, and seeds side by side, have nothing in common.
    const own = (seed ^ Math.imul(block, 0x9e37_79b1)) >>> 0
    blocks.push({ seed: own, trials: Math.min(size, all - block * size) })
  }
  return {
    trials: blocks.reduce((sum, { trials }) => sum + trials, 0),
    /** Makes all trials, a few thousand at a time. Yields how many there were, and how many succeeded. */
    *run() {
      for (const { seed: own, trials } of blocks) {
        const trial = createExperiment(options, createRandom(own))
        for (let from = 0; from < trials; from += trialsBetweenLooks) {
          const count = Math.min(trialsBetweenLooks, trials - from)
          let hits = 0
          for (let at = 0; at < count; at++) if (trial()) hits++
          yield { trials: count, hits }
        }
      }
    },
  }
}

const trialsBetweenLooks = 2048

/** A random trial that succeeds or not. */
function createExperiment(options: ExperimentOptions, random: Random): () => boolean {
  switch (options.experiment) {
    case 'pi':
      return () => inCircle(random)
    case 'birthday':
      return createBirthdays(options.people, random)
    case 'dice':
      return () => sumOfDice(options.dice, random) >= options.atLeast
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

/** Returns numbers from 0 up to, but not including, 1. */
export type Random = () => number

/** A seeded generator: a seed gives the same sequence in every browser. */
export function createRandom(seed: number): Random {
  // With this generator, adjacent seeds give unrelated sequences.
  const generator = mersenne(seed)
  return () => (generator.next() >>> 0) / 2 ** 32
}
