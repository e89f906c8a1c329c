import type { AgentEvent, AgentState, ChatMessage, EventOf, ToolOutcome } from '@offthread/core'
import { expect, test } from 'vitest'
import { type AnnouncedMoment, sentencesFor } from './announcements.ts'

test('makes one sentence of what begins together', () => {
  expect(textsOf([start('a'), start('b'), start('c')])).toEqual(['Running 3 tools'])
  expect(textsOf([runStart, start('a')])).toEqual(['Running SQL query'])
  expect(textsOf([runStart])).toEqual(['Agent started'])
})

test('says what ended, how, and after how long', () => {
  expect(textsOf([end('a', 'succeeded', 3240)])).toEqual([
    'SQL query finished, 50 rows, 3.2 seconds',
  ])
  expect(textsOf([end('a', 'succeeded')])).toEqual(['SQL query finished, 50 rows'])
  expect(textsOf([end('a', 'cancelled')])).toEqual(['SQL query cancelled'])
  expect(textsOf(['a', 'b', 'c'].map((id) => end(id, 'succeeded')))).toEqual(['3 tools finished'])
  expect(textsOf([runEnd('stop')])).toEqual(['Answer complete, 3 words. Press Alt+R'])
  expect(textsOf([runEnd('aborted')])).toEqual(['Stopped'])
})

test('interrupts for failures and questions only', () => {
  expect(announced([end('a', 'failed'), end('b', 'succeeded'), runEnd('stop')])).toEqual([
    { text: 'SQL query finished, 50 rows', isUrgent: false },
    { text: 'SQL query failed: No such table.', isUrgent: true },
    { text: 'Answer complete, 3 words. Press Alt+R', isUrgent: false },
  ])
  expect(announced([start('waiting'), asked('waiting')])).toEqual([
    { text: 'Approval needed for SQL query. Press Alt+A', isUrgent: true },
  ])
})

test('asks nothing that was answered meanwhile', () => {
  expect(textsOf([asked('a')])).toEqual([])
})

test('leaves out starts and ends of calls where little is to be said', () => {
  const events = [runStart, start('a'), end('a', 'succeeded'), end('b', 'failed'), runEnd('stop')]

  expect(announced(events, 'brief').map(({ text }) => text)).toEqual([
    'SQL query failed: No such table.',
    'Answer complete',
  ])
})

test('says that a model is asked again, unless the run is over by then', () => {
  expect(textsOf([retry(1200)])).toEqual(['The model did not answer. Attempt 2 of 4 in 2 seconds'])
  expect(textsOf([retry(1200), runEnd('aborted')])).toEqual(['Stopped'])
})

test('says of a run that another one has followed not that its answer is complete', () => {
  expect(textsOf([runEnd('stop'), runStart, start('a')])).toEqual(['Running SQL query'])
  expect(textsOf([retry(1200), runEnd('aborted'), runStart])).toEqual(['Agent started'])
})

const answer = {
  id: 'm2',
  parentId: 'm1',
  role: 'assistant',
  content: [{ type: 'text', text: 'Three short words' }],
  model: { provider: 'test', id: 'test' },
  stopReason: 'stop',
} as const satisfies ChatMessage

const state = {
  messages: [answer] as readonly ChatMessage[],
  toolCalls: {
    get: (id: string) => ({
      label: 'SQL query',
      status: id === 'waiting' ? 'awaiting_approval' : 'succeeded',
    }),
  },
} as unknown as AgentState

const envelope = { v: 1, seq: 0, ts: 0, sessionId: 's', runId: 'r', turn: 1 } as const

function announced(
  events: readonly AgentEvent[],
  verbosity: AnnouncedMoment['verbosity'] = 'full',
): ReturnType<typeof sentencesFor> {
  return sentencesFor({
    events,
    state,
    verbosity,
    detailOf: () => '50 rows',
    hints: { approval: 'Press Alt+A', answer: 'Press Alt+R' },
  })
}

function textsOf(events: readonly AgentEvent[]): readonly string[] {
  return announced(events).map(({ text }) => text)
}

const runStart: EventOf<'agent_start'> = {
  ...envelope,
  type: 'agent_start',
  trigger: 'prompt',
  model: answer.model,
  toolExecution: 'parallel',
  maxTurns: null,
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

function end(toolCallId: string, outcome: ToolOutcome, runMs = 0): EventOf<'tool_execution_end'> {
  return {
    ...envelope,
    type: 'tool_execution_end',
    toolCallId,
    toolName: 'sql_query',
    attempt: 1,
    outcome,
    isError: outcome !== 'succeeded',
    mayHaveRun: true,
    timing: { queuedMs: 0, startMs: 0, runMs },
    result: { content: [{ type: 'text', text: 'No such table.' }] },
  }
}

function asked(toolCallId: string): EventOf<'tool_approval_requested'> {
  return {
    ...envelope,
    type: 'tool_approval_requested',
    toolCallId,
    toolName: 'sql_query',
    args: {},
    argsDigest: 'd',
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

function runEnd(reason: 'stop' | 'aborted'): EventOf<'agent_end'> {
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
