/** What the share of successes is multiplied by. */
const scales = { pi: 4, birthday: 1, dice: 1 }

/** Estimates the true value from `hits` of `trials`. */
export function estimateOf(experiment: keyof typeof scales, hits: number, trials: number) {
  const share = hits / trials
  const scale = scales[experiment]
  return {
    estimate: share * scale,
    standardError: Math.sqrt((share * (1 - share)) / trials) * scale,
  }
}
