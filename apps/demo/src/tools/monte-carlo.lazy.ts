import type { Execute } from '@offthread/core/worker'
import type { monteCarlo } from './definitions.ts'
import { createExperiment, createRandom, estimateOf } from './experiments.ts'

// Short enough to stop at once, long enough that yielding costs little.
const sliceMs = 50
const trialsBetweenLooks = 2048
// An interval of this many standard errors on each side has 95 % confidence.
const widthOfInterval = 1.96

const execute: Execute<typeof monteCarlo> = async (input, context) => {
  const { experiment, trials: total } = input
  const seed = input.seed ?? randomSeed()
  context.log(`Seed ${seed}`)
  const { trial, scale } = createExperiment(input, createRandom(seed))
  let trials = 0
  let hits = 0
  while (trials < total) {
    const sliceEnd = performance.now() + sliceMs
    do {
      const end = Math.min(total, trials + trialsBetweenLooks)
      for (; trials < end; trials++) if (trial()) hits++
    } while (trials < total && performance.now() < sliceEnd)
    const { estimate, standardError } = estimateOf(hits, trials, scale)
    const margin = widthOfInterval * standardError
    context.onProgress({ value: trials, total, unit: 'trials' })
    context.onUpdate({
      content: `${estimate.toPrecision(6)} ± ${margin.toPrecision(2)}`,
      details: { estimate, low: estimate - margin, high: estimate + margin, trials },
    })
    await context.yield()
  }
  return { experiment, trials, ...estimateOf(hits, trials, scale) }
}

export default execute

function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
}
