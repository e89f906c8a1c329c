import type { Plan } from '../plan.ts'
import { type Played, play } from '../play.ts'

/**
 * The page goes away after every durable event: a new page opens what is stored, continues until it is at rest,
 * and gets another prompt. The rules see the whole log, so that work done twice is reported.
 */
export async function crashEverywhere(plan: Plan): Promise<Played> {
  const usual = await play(plan)
  const quietly: Plan = {
    ...plan,
    actions: [
      { at: 'rest', do: 'continue' },
      { at: 'rest', do: 'prompt', text: 'And now?' },
    ],
    starts: [],
    appends: [],
    answers: [],
  }
  if (plan.volatile) return usual
  const stored = usual.disk()
  for (let length = 1; length <= stored.length; length += 1) {
    if (usual.broken.length > 0) break
    const played = await play(quietly, { from: stored.slice(0, length) })
    if (played.broken.length === 0) continue
    const broken = played.broken.map(({ rule, why }) => ({
      rule,
      why: `${why} (the page went away after ${length} events)`,
    }))
    return { ...played, broken }
  }
  return usual
}
