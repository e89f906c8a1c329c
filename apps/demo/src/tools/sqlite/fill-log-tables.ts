import type { Database } from '@sqlite.org/sqlite-wasm'
import { logTables } from '../event-log.ts'

/** Fills the tables of the agent's log from its events. */
export async function fillLogTables(db: Database, events: Blob): Promise<void> {
  for (const [table, columns] of Object.entries(logTables))
    db.exec(`CREATE TABLE ${table} (${columns.join(', ')})`)
  db.exec({ sql: fillEvents, bind: [await events.text()] })
  db.exec(fillCalls)
  db.exec(fillRuns)
}

const time = (ms: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`

const fillEvents = `
INSERT INTO events SELECT value ->> 'seq', ${time("value ->> 'ts'")}, value ->> 'type', value ->> 'runId',
  value ->> 'toolCallId', value
FROM json_each(?)`

const fillCalls = `
INSERT INTO calls SELECT s.call, s.run, s.data ->> 'toolName', s.data -> 'args',
  coalesce(e.data ->> 'outcome', 'open'), e.data ->> 'errorKind', s.at, e.at,
  e.data ->> '$.timing.queuedMs', e.data ->> '$.timing.startMs', e.data ->> '$.timing.runMs',
  e.data ->> '$.result.content[0].text'
FROM events s LEFT JOIN events e ON e.call = s.call AND e.type = 'tool_execution_end'
WHERE s.type = 'tool_execution_start' ORDER BY s.seq`

const fillRuns = `
INSERT INTO runs SELECT s.run, s.at, e.at, s.data ->> '$.model.id', coalesce(e.data ->> 'reason', 'active'),
  e.data ->> 'turns', e.data ->> 'durationMs', e.data ->> '$.usage.inputTokens', e.data ->> '$.usage.outputTokens'
FROM events s LEFT JOIN events e ON e.run = s.run AND e.type = 'agent_end'
WHERE s.type = 'agent_start' ORDER BY s.seq`
