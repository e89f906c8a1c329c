import type { Agent, AgentEvent, EventOf, RunEndReason, RunError } from '@offthread/core'

/** How a run ended. */
export interface RunEnd {
  readonly reason: RunEndReason
  readonly durationMs: number
  readonly turns: number
  readonly error?: RunError
}

/** A request that failed and is sent again. */
export interface ModelRetry {
  /** Which attempt follows, from 2. */
  readonly attempt: number
  readonly maxAttempts: number
  /** Epoch milliseconds of when it is sent. */
  readonly sentAt: number
}

/** When runs began and how they ended: what the conversation itself does not say. */
export interface RunLog {
  readonly subscribe: (listener: () => void) => () => void
  /** Epoch milliseconds; undefined at rest. */
  readonly startedAt: () => number | undefined
  /** The attempt that a failed request waits for, or is in; undefined as soon as something is answered. */
  readonly retry: () => ModelRetry | undefined
  /** The end of the run whose last shown message this is. */
  readonly endAfter: (messageId: string) => RunEnd | undefined
}

/** Follows an agent's events from now on. */
export function createRunLog(agent: Pick<Agent, 'subscribe'>): RunLog {
  const listeners = new Set<() => void>()
  const ends = new Map<string, RunEnd>()
  let startedAt: number | undefined
  let lastMessageId: string | undefined
  let retry: ModelRetry | undefined

  function note(event: AgentEvent): boolean {
    switch (event.type) {
      case 'agent_start':
        startedAt = event.ts
        return true
      case 'auto_retry_start':
        if (event.scope === 'tool') return false
        retry = retryOf(event)
        return true
      case 'auto_retry_end':
        if (event.scope === 'model') retry = undefined
        return true
      case 'message_end':
        if (event.message.role !== 'toolResult') lastMessageId = event.message.id
        return false
      case 'agent_end':
        startedAt = undefined
        retry = undefined
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
    retry: () => retry,
    endAfter: (messageId) => ends.get(messageId),
  }
}

function retryOf({ attempt, maxAttempts, delayMs, ts }: EventOf<'auto_retry_start'>): ModelRetry {
  return { attempt, maxAttempts, sentAt: ts + delayMs }
}

function endOf({ reason, durationMs, turns, error }: EventOf<'agent_end'>): RunEnd {
  return { reason, durationMs, turns, ...(error && { error }) }
}
