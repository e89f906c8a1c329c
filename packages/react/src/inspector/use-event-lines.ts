import type { Agent } from '@offthread/core'
import { useMemo } from 'react'
import { useEventRecord } from '../event-record.ts'
import { useReading } from '../use-reading.ts'
import { createLines, type EventLines } from './event-lines.ts'
import { readQuery } from './event-query.ts'

/**
 * The log of an agent as lines to read, live: what streams is folded into one line. `query` leaves out what it does not
 * find: words of the event, and `type:`, `tool:`, `call:` and `level:` (`error`, `warn`, `info`, `debug`) with a value. The
 * lines of a long log come part by part, so that the page stays free.
 *
 * @example
 * ```tsx
 * const { list } = useEventLines(agent, 'type:tool_execution call:call_1')
 * return <p>{list.length} lines</p>
 * ```
 */
export function useEventLines(agent: Agent, query = ''): EventLines {
  const { events, length } = useEventRecord(agent)
  const builder = useMemo(() => createLines(events, readQuery(query)), [events, query])
  return builder.readTo(useReading(builder, length))
}
