import { firstDifference } from '../../packages/core/rules/compare.ts'
import type { Agent } from '../../packages/core/src/agent/create-agent.ts'
import type { AgentEvent, DurableEvent } from '../../packages/core/src/kernel/events.ts'
import type { AudiencePlan, Deed } from '../plan.ts'

/** The listeners and readers of one page's agent, besides the rules. */
export interface Audience {
  /** Notes an event that was delivered to the rules. */
  readonly note: (event: AgentEvent) => void
  /** An event that was delivered to a listener or reader in another form than to the rules; `null` if there is none. */
  readonly problem: () => string | null
}

/** What an audience is made from. */
export interface AudienceOptions {
  readonly plan: readonly AudiencePlan[]
  readonly agent: Agent
  /** What was stored when the page was opened. */
  readonly stored: readonly DurableEvent[]
  readonly act: (deed: Deed) => void
}

/** Adds the listeners and readers that the plan names. Readers start before the session is loaded. */
export function createAudience({ plan, agent, stored, act }: AudienceOptions): Audience {
  if (plan.length > 0) swallowListenerFailures()
  const written: AgentEvent[] = [...stored]
  const readers = plan.flatMap((one) => (one.does === 'reads' ? [read(agent)] : []))
  for (const one of plan) {
    const listener = listenerOf(one, act)
    if (listener) agent.subscribe(listener)
  }
  return {
    note: (event) => void written.push(event),
    problem: () => {
      for (const { received, isOver } of readers) {
        const difference = isOver() ? null : firstDifference(written, received)
        if (difference !== null) return difference
      }
      return null
    },
  }
}

function read(agent: Agent) {
  const received: AgentEvent[] = []
  let isOver = false
  const reading = async (): Promise<void> => {
    for await (const event of agent.events()) received.push(event)
  }
  const end = (): void => {
    isOver = true
  }
  // The reading ends with the agent, and fails if the session cannot be loaded.
  reading().then(end, end)
  return { received, isOver: () => isOver }
}

function listenerOf(
  plan: AudiencePlan,
  act: (deed: Deed) => void,
): ((event: AgentEvent) => unknown) | null {
  switch (plan.does) {
    case 'reads':
      return null
    case 'throws':
      return () => {
        throw new ListenerFailure()
      }
    case 'dawdles':
      return dawdle
    case 'calls_back': {
      let isDone = false
      return ({ seq }) => {
        if (isDone || seq < plan.seq) return
        isDone = true
        act(plan.deed)
      }
    }
  }
}

async function dawdle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

class ListenerFailure extends Error {
  constructor() {
    super('A listener failed.')
  }
}

let isSwallowing = false

/** The agent reports what a listener throws as an uncaught error of the page. Here that is expected. */
function swallowListenerFailures(): void {
  if (isSwallowing) return
  isSwallowing = true
  const queue = globalThis.queueMicrotask
  globalThis.queueMicrotask = (callback) =>
    queue(() => {
      try {
        callback()
      } catch (error) {
        if (!(error instanceof ListenerFailure)) throw error
      }
    })
}
