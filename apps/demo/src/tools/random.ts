import { mersenne } from 'pure-rand/generator/mersenne'

/** Returns numbers from 0 up to, but not including, 1. */
export type Random = () => number

/** A seeded generator: a seed gives the same sequence in every browser. */
export function createRandom(seed: number): Random {
  // With this generator, adjacent seeds give unrelated sequences.
  const generator = mersenne(seed)
  return () => (generator.next() >>> 0) / 2 ** 32
}
