import { monteCarlo } from '../tools/definitions.ts'
import { estimateOf } from '../tools/estimate.ts'
import { offer } from './answer.ts'
import { type Outcome, outputOf } from './conversation.ts'

/** The outcomes, with one in the place of those that are parts of one run. Parts that were stopped are not in it. */
export function mergeParts(outcomes: readonly Outcome[]): readonly Outcome[] {
  const merged = new Set(outcomes.map((outcome) => runOf(outcome) ?? outcome))
  return [...merged].flatMap((run) => {
    if (typeof run !== 'string') return run
    const parts = outcomes.filter((outcome) => runOf(outcome) === run)
    return merge(parts)
  })
}

/** What may be asked after a run that one worker made by itself. */
export function partsText(outcomes: readonly Outcome[]): string {
  const [only, ...others] = outcomes
  const isWhole = only?.name === 'monte_carlo' && runOf(only) === undefined && !only.failed
  return isWhole && others.length === 0 ? offer([inParts]) : ''
}

const inParts = 'Estimate pi with 300 million samples in 4 parts'

/** What the parts of a run have in common. Undefined for all other calls. */
function runOf({ name, input, failed }: Outcome): string | undefined {
  if (name !== 'monte_carlo' || failed || input['parts'] === undefined) return undefined
  return JSON.stringify({ ...input, part: 0 })
}

function merge(parts: readonly Outcome[]): readonly Outcome[] {
  const outputs = parts.flatMap((part) => outputOf(part, monteCarlo.outputSchema) ?? [])
  const [first] = parts
  const [{ experiment } = {}] = outputs
  if (!first || !experiment) return parts
  const sum = (field: 'hits' | 'trials') => outputs.reduce((all, one) => all + one[field], 0)
  const [hits, trials] = [sum('hits'), sum('trials')]
  const estimate = estimateOf(experiment, hits, trials)
  const all = `${parts.length} of ${first.input['parts']}`
  return [{ ...first, text: JSON.stringify({ experiment, ...estimate, trials, parts: all }) }]
}
