import type { AgentEvent, EventOf, ToolOutcome } from '@offthread/core'
import { expect, test } from 'vitest'
import { demoCall } from '../tools/demo-call.fixtures.ts'
import type { DemoCall } from '../tools/host-tools.ts'
import { announcementsFor } from './announcements.ts'

test('makes one sentence of what begins together', () => {
  expect(told([start('a'), start('b'), start('c')])).toEqual(['Running 3 tools'])
  expect(told([start('a')])).toEqual(['Running SQL query'])
})

test('says what ended, and how', () => {
  expect(told([end('a', 'succeeded')])).toEqual(['SQL query finished, 50 rows'])
  expect(told([end('a', 'cancelled')])).toEqual(['SQL query cancelled'])
  expect(told(['a', 'b', 'c'].map((id) => end(id, 'succeeded')))).toEqual(['3 tools finished'])
})

test('interrupts for a failure only', () => {
  const announcements = announcementsFor([end('a', 'failed'), runEnd('stop')], () => sqlCall)

  expect(announcements).toEqual([
    { text: 'SQL query failed: No such table.', urgent: true },
    { text: 'Answer complete', urgent: false },
  ])
})

test('says that a model is asked again, unless the run is over by then', () => {
  expect(told([retry(1200)])).toEqual(['The model did not answer. Attempt 2 of 4 in 2 seconds'])
  expect(told([retry(1200), runEnd('stop')])).toEqual(['Answer complete'])
})

const sqlCall: DemoCall = {
  ...demoCall,
  toolName: 'sql_query',
  label: 'SQL query',
  output: { columns: [], rows: [], rowCount: 50, truncated: false },
}

const envelope = { v: 1, seq: 0, ts: 0, sessionId: 's', runId: 'r', turn: 1 } as const

function told(events: readonly AgentEvent[]): readonly string[] {
  return announcementsFor(events, () => sqlCall).map(({ text }) => text)
}

function start(toolCallId: string): EventOf<'tool_execution_start'> {
  return {
    ...envelope,
    type: 'tool_execution_start',
    toolCallId,
    toolName: 'sql_query',
    label: 'SQL query',
    args: {},
    index: 0,
    batchSize: 1,
    place: 'worker',
  }
}

function end(toolCallId: string, outcome: ToolOutcome): EventOf<'tool_execution_end'> {
  return {
    ...envelope,
    type: 'tool_execution_end',
    toolCallId,
    toolName: 'sql_query',
    attempt: 1,
    outcome,
    isError: outcome !== 'succeeded',
    mayHaveRun: true,
    timing: { queuedMs: 0, startMs: 0, runMs: 0 },
    result: { content: [{ type: 'text', text: 'No such table.' }] },
  }
}

function retry(delayMs: number): EventOf<'auto_retry_start'> {
  return {
    ...envelope,
    type: 'auto_retry_start',
    scope: 'model',
    attempt: 2,
    maxAttempts: 4,
    delayMs,
    error: { kind: 'overloaded', message: 'Busy.', retryable: true },
  }
}

function runEnd(reason: 'stop'): EventOf<'agent_end'> {
  return {
    ...envelope,
    type: 'agent_end',
    reason,
    maxTurnsReached: false,
    turns: 1,
    usage: { inputTokens: 0, outputTokens: 0 },
    durationMs: 1,
  }
}
