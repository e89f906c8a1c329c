import type { AgentEvent } from '../packages/core/src/kernel/events.ts'
import type { ActionPlan } from './plan.ts'
import { play } from './play.ts'
import { simulate } from './simulate.ts'

/**
 * Looks at the logs of many sessions, each whole and as a storage has it. Returns the number of their events. `also`: what
 * the user of each session does besides.
 */
export async function everyLog(
  look: (log: readonly AgentEvent[]) => void,
  { runs = 150, also = [] }: { readonly runs?: number; readonly also?: readonly ActionPlan[] } = {},
): Promise<number> {
  const { failure, events } = await simulate({
    runs,
    seed: 14,
    hurry: true,
    playOne: async (plan) => {
      const played = await play({ ...plan, actions: [...plan.actions, ...also] })
      // Of several pages each shows a log of its own; what they share is what is stored.
      if (!plan.pages) look(played.log)
      look(played.disk())
      return played
    },
  })
  if (failure) throw new Error(`A rule is broken: ${JSON.stringify(failure.broken)}`)
  return events
}

/** Calls are run once more: while others of their answer are open, and after the conversation has gone on. */
export const retries: readonly ActionPlan[] = [
  ...[10, 14, 18, 22, 26, 30, 40].map((seq) => ({ at: { seq }, do: 'retry', pick: seq }) as const),
  ...[0, 1, 2, 3].map((pick) => ({ at: 'rest', do: 'retry', pick }) as const),
]
