import type { Agent } from '@offthread/core'
import { useEffect, useMemo, useState } from 'react'
import { useEventRecord } from '../event-record.ts'
import { createLines, type EventLine } from './event-lines.ts'
import { readQuery } from './event-query.ts'

/** So many events are read at most in one task: to look for words in an event takes some microseconds. */
const atOnce = 2000

/**
 * The log of an agent as lines to read, live: what streams is folded into one line. `query` leaves out what it does not
 * find: words of the event, and `type:`, `tool:` and `call:` with a value. The lines of a long log come part by part, so
 * that the page stays free.
 *
 * @example
 * ```tsx
 * const lines = useEventLines(agent, 'type:tool_execution call:call_1')
 * return <p>{lines.length} lines</p>
 * ```
 */
export function useEventLines(agent: Agent, query = ''): readonly EventLine[] {
  const { events, length } = useEventRecord(agent)
  const builder = useMemo(() => createLines(events, readQuery(query)), [events, query])
  const [reached, setReached] = useState({ builder, to: atOnce })
  const to = reached.builder === builder ? reached.to : atOnce
  const isBehind = to < length
  useEffect(() => {
    if (!isBehind) return undefined
    const timer = setTimeout(() => setReached({ builder, to: to + atOnce }))
    return () => clearTimeout(timer)
  }, [isBehind, builder, to])
  return builder.readTo(Math.min(length, to))
}
