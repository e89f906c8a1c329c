import type { Agent, AgentEvent } from '@offthread/core'
import { useMemo } from 'react'
import { useEventRecord } from '../event-record.ts'
import { useReading } from '../use-reading.ts'
import { readQuery } from './event-query.ts'
import { createReader } from './event-reader.ts'

/**
 * How many events of a log each of some queries finds, live, in their order. Write the queries outside of the component.
 *
 * @example
 * ```tsx
 * const queries = ['', 'type:tool', 'level:warn level:error']
 *
 * function Counts({ agent }) {
 *   const [all, ofCalls, problems] = useEventCounts(agent, queries)
 *   return <p>{all} events, {ofCalls} of calls, {problems} problems</p>
 * }
 * ```
 */
export function useEventCounts(agent: Agent, queries: readonly string[]): readonly number[] {
  const { events, length } = useEventRecord(agent)
  const counter = useMemo(() => createCounter(events, queries), [events, queries])
  return counter(useReading(counter, length))
}

function createCounter(
  events: readonly AgentEvent[],
  queries: readonly string[],
): (length: number) => readonly number[] {
  const counts = queries.map(() => 0)
  const readers = queries.map((query, index) =>
    createReader(events, readQuery(query), (_, isFound) => {
      if (isFound) counts[index] = (counts[index] ?? 0) + 1
    }),
  )
  return (length) => {
    for (const readOn of readers) readOn(length)
    return [...counts]
  }
}
