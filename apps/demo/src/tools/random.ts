import { mersenne } from 'pure-rand/generator/mersenne'

/** Gives numbers from 0 up to, but not including, 1. */
export type Random = () => number

/** A sequence that is the same everywhere for a seed, which that of `Math.random` is not. */
export function createRandom(seed: number): Random {
  // Of this generator also neighbouring seeds give sequences that have nothing in common.
  const generator = mersenne(seed)
  return () => (generator.next() >>> 0) / 2 ** 32
}
