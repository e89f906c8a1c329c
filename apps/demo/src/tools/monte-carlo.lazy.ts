import { type Execute, ToolError } from '@offthread/core/worker'
import type { monteCarlo } from './definitions.ts'
import { estimateOf } from './estimate.ts'
import { createPart } from './experiments.ts'

// Short enough to stop at once, long enough that yielding costs little.
const sliceMs = 50
// An interval of this many standard errors on each side has 95 % confidence.
const widthOfInterval = 1.96

const execute: Execute<typeof monteCarlo> = async (input, context) => {
  const { experiment } = input
  const seed = input.seed ?? randomSeed()
  context.log(`Seed ${seed}`)
  const part = createPart(input, seed)
  const { trials: total } = part
  if (total === 0)
    throw new ToolError('invalid_args', 'There is no such part, or it has no trials.')
  let trials = 0
  let hits = 0
  let sliceEnd = performance.now() + sliceMs
  for (const more of part.run()) {
    trials += more.trials
    hits += more.hits
    if (trials < total && performance.now() < sliceEnd) continue
    const { estimate, standardError } = estimateOf(experiment, hits, trials)
    const margin = widthOfInterval * standardError
    context.onProgress({ value: trials, total, unit: 'trials' })
    context.onUpdate({
      content: `${estimate.toPrecision(6)} ± ${margin.toPrecision(2)}`,
      details: { estimate, low: estimate - margin, high: estimate + margin, trials },
    })
    await context.yield()
    sliceEnd = performance.now() + sliceMs
  }
  return { experiment, trials, hits, ...estimateOf(experiment, hits, trials) }
}

export default execute

function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
}
