import type { Agent } from '@offthread/core'
import type { DataState } from './tables.ts'

/** The tables of what the agent itself has done. A query may use them like the loaded ones. */
export const logTables = {
  events: ['seq', 'at', 'type', 'run', 'call', 'data'],
  calls: [
    'id',
    'run',
    'tool',
    'args',
    'status',
    'error',
    'started_at',
    'ended_at',
    'queued_ms',
    'start_ms',
    'run_ms',
    'result',
  ],
  runs: [
    'id',
    'started_at',
    'ended_at',
    'model',
    'reason',
    'turns',
    'duration_ms',
    'input_tokens',
    'output_tokens',
  ],
} as const

/** Whether a query is about the agent's log. A loaded table of such a name comes first. */
export function asksForLog({ tables }: DataState, sql: string): boolean {
  const loaded = new Set([...tables.keys()].map((name) => name.toLowerCase()))
  return Object.keys(logTables).some(
    (name) => !loaded.has(name) && new RegExp(String.raw`\b${name}\b`, 'i').test(sql),
  )
}

/** Makes a function that reads the events of a session so far, as JSON. */
export function createLogReader({ subscribe, events }: Pick<Agent, 'subscribe' | 'events'>) {
  let latest = -1
  subscribe(({ seq }) => {
    latest = seq
  })
  return async (): Promise<Blob> => {
    const reading = new AbortController()
    const until = latest
    const read: string[] = []
    if (until < 0) return toBlob(read)
    for await (const event of events({ signal: reading.signal })) {
      // Ephemeral events have no number of their own.
      if (event.sub === undefined) read.push(JSON.stringify(event))
      // Otherwise the loop would wait for the next event.
      if (event.seq >= until) break
    }
    reading.abort()
    return toBlob(read)
  }
}

function toBlob(events: readonly string[]): Blob {
  return new Blob([`[${events.join(',')}]`], { type: 'application/json' })
}
