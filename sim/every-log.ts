import { type AgentEvent, isDurable } from '../packages/core/src/kernel/events.ts'
import type { ActionPlan } from './plan.ts'
import { play } from './play.ts'
import { simulate } from './simulate.ts'

interface Sessions {
  readonly runs?: number
  /** What the user of each session does besides. */
  readonly also?: readonly ActionPlan[]
}

/** Looks at the logs of many sessions, each whole and as a storage has it. Returns the number of their events. */
export async function everyLog(
  look: (log: readonly AgentEvent[]) => void,
  { runs = 150, also = [] }: Sessions = {},
): Promise<number> {
  const { failure, events } = await simulate({
    runs,
    seed: 14,
    hurry: true,
    playOne: async (plan) => {
      const played = await play({ ...plan, actions: [...plan.actions, ...also] })
      // Of several pages each shows a log of its own; what they share is what is stored.
      if (!plan.pages) look(withoutLost(played.log))
      look(played.disk())
      return played
    },
  })
  if (failure) throw new Error(`A rule is broken: ${JSON.stringify(failure.broken)}`)
  return events
}

/** A log without the events that a page had seen and not stored, which no later log has. */
function withoutLost(log: readonly AgentEvent[]): readonly AgentEvent[] {
  const kept: AgentEvent[] = []
  for (const event of log) {
    if (event.type === 'session_opened') {
      const lost = kept.findIndex((seen) => isDurable(seen) && seen.seq >= event.seq)
      if (lost >= 0) kept.length = lost
    }
    kept.push(event)
  }
  return kept
}
