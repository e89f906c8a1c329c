import type { Agent, AgentEvent, EventOf, RunEndReason, RunError } from '@offthread/core'

/** How a run ended. */
export interface RunEnd {
  readonly reason: RunEndReason
  readonly durationMs: number
  readonly turns: number
  readonly error?: RunError
}

/** When runs began and how they ended: what the conversation itself does not say. */
export interface RunLog {
  readonly subscribe: (listener: () => void) => () => void
  /** Epoch milliseconds; undefined at rest. */
  readonly startedAt: () => number | undefined
  /** The end of the run whose last shown message this is. */
  readonly endAfter: (messageId: string) => RunEnd | undefined
}

/** Follows an agent's events from now on. */
export function createRunLog(agent: Pick<Agent, 'subscribe'>): RunLog {
  const listeners = new Set<() => void>()
  const ends = new Map<string, RunEnd>()
  let startedAt: number | undefined
  let lastMessageId: string | undefined

  function note(event: AgentEvent): boolean {
    switch (event.type) {
      case 'agent_start':
        startedAt = event.ts
        return true
      case 'message_end':
        if (event.message.role !== 'toolResult') lastMessageId = event.message.id
        return false
      case 'agent_end':
        startedAt = undefined
        if (lastMessageId !== undefined) ends.set(lastMessageId, endOf(event))
        return true
      default:
        return false
    }
  }

  agent.subscribe((event) => {
    if (note(event)) for (const listener of listeners) listener()
  })
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    startedAt: () => startedAt,
    endAfter: (messageId) => ends.get(messageId),
  }
}

function endOf({ reason, durationMs, turns, error }: EventOf<'agent_end'>): RunEnd {
  return { reason, durationMs, turns, ...(error && { error }) }
}
