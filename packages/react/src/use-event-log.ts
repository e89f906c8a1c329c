import type { Agent, AgentEvent, StorageError } from '@offthread/core'
import { useMemo } from 'react'
import { useEventRecord } from './event-record.ts'

/** Which events to return. */
export interface EventLogOptions {
  /** The most events, the last ones count. Default 200. */
  readonly limit?: number
  /** Which events to return. Write the function outside of the component, or keep it with `useCallback`. */
  readonly filter?: (event: AgentEvent) => boolean
}

/** The last events of a log. */
export interface EventLog {
  /** Oldest first. */
  readonly events: readonly AgentEvent[]
  /** How many the log has, without the filter. */
  readonly total: number
  /** The error if an event of the stored session cannot be read; the log ends before it. `null`: there is none. */
  readonly error: StorageError | null
}

/**
 * The log of an agent, live: what was stored, and from when the first component asks for it every event, those that are
 * not stored too. The component renders at most once per frame.
 *
 * @example
 * ```tsx
 * const isOfTool = (event: AgentEvent) => event.type.startsWith('tool_')
 *
 * function Events() {
 *   const { events, total } = useEventLog(agent, { limit: 50, filter: isOfTool })
 *   return <pre>{total} events{events.map(({ seq, type }) => `\n${seq} ${type}`)}</pre>
 * }
 * ```
 */
export function useEventLog(
  agent: Agent,
  { limit = 200, filter = everything }: EventLogOptions = {},
): EventLog {
  const recorded = useEventRecord(agent)
  return useMemo(() => {
    const { events, length, error } = recorded
    const found: AgentEvent[] = []
    for (let at = length - 1; at >= 0 && found.length < limit; at -= 1) {
      const event = events[at]
      if (event && filter(event)) found.push(event)
    }
    return { events: found.reverse(), total: length, error }
  }, [recorded, limit, filter])
}

function everything(): boolean {
  return true
}
