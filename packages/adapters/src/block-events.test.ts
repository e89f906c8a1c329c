import type { AgentEvent } from '@offthread/core'
import { call as callTo, say, scriptedModel } from '@offthread/core/testing'
import { expect, test } from 'vitest'
import { pageTools, watchedAgent } from '../../core/src/agent/agent.fixtures.ts'
import {
  answer,
  answered,
  call,
  ended,
  logOf,
  starts,
  text,
} from '../../core/src/kernel/log.fixtures.ts'
import { createManualEnvironment } from '../../core/src/runtime/environment.fixtures.ts'
import { createBlockEvents } from './block-events.ts'

const failed = { isError: true, outcome: 'failed', mayHaveRun: false } as const

test('[S004-5] every block of an answer comes before any of its calls runs', () => {
  const calls = [call('call_1', 'add', '{"a":25}')]
  const log = logOf(answered(text('Let me see.'), ...calls), starts(...calls))

  expect(allOf(log)).toEqual([
    { type: 'TextBlock', text: 'Let me see.' },
    { type: 'ToolUseBlock', id: 'call_1', name: 'add', input: { a: 25 } },
  ])
})

test('[S004-6] an unknown tool and a tool that throws give a ToolUseError', () => {
  const calls = [call('call_1', 'nonexistent', '{"x":1}'), call('call_2', 'divide', '{"b":0}')]
  const log = logOf(
    answered(...calls),
    ended('call_1', 'No tool named "nonexistent".', {
      ...failed,
      toolName: 'nonexistent',
      errorKind: 'not_found',
    }),
    ended('call_2', 'Division by zero', { ...failed, errorKind: 'failed' }),
  )

  expect(allOf(log).slice(2)).toEqual([
    {
      type: 'ToolUseError',
      id: 'call_1',
      error: 'Unknown tool: nonexistent',
      raw_data: '{"x":1}',
    },
    { type: 'ToolUseError', id: 'call_2', error: 'Division by zero', raw_data: '{"b":0}' },
  ])
})

test('[S004-6] a call that ends after another message was redacted still says what it was given', () => {
  const log = logOf(
    answered(call('call_1', 'divide', '{"b":0}')),
    { type: 'message_redacted', messageId: 'question', artifactIds: [], by: 'user' },
    ended('call_1', 'Division by zero', { ...failed, errorKind: 'failed' }),
  )

  expect(allOf(log).slice(1)).toMatchObject([{ id: 'call_1', raw_data: '{"b":0}' }])
})

test('[S004-7] a call that a hook holds back gives its block and the reason', () => {
  const log = logOf(
    answered(call('call_1', 'dangerous')),
    ended('call_1', 'The user did not allow this call. Blocked. It did not run.', {
      ...failed,
      outcome: 'denied',
      errorKind: 'denied',
    }),
  )

  expect(allOf(log)).toEqual([
    { type: 'ToolUseBlock', id: 'call_1', name: 'dangerous', input: {} },
    {
      type: 'ToolUseError',
      id: 'call_1',
      error: expect.stringContaining('Blocked'),
      raw_data: '{}',
    },
  ])
})

test('an answer of a repeated request gives no block, and one that is not JSON an empty input', () => {
  const broken = [call('call_1', 'add', '{"a":')]

  expect(
    allOf(logOf(answer('msg_1', [text('Hel')], { excluded: true, stopReason: 'error' }))),
  ).toEqual([])
  expect(allOf(logOf(answer('msg_2', broken)))).toEqual([
    { type: 'ToolUseBlock', id: 'call_1', name: 'add', input: {} },
  ])
})

test('[R10] [S004-6] a call that runs once more gives its block again, each failure with its arguments', () => {
  const add = call('call_1', 'add', '{"a": 1}')
  const fails = ended('call_1', 'No.', { ...failed, errorKind: 'failed' })
  const again = { type: 'tool_retry_requested', toolCallId: 'call_1', by: 'user' } as const
  const withTwo = starts(call('call_1', 'add', '{"a":2}'))
  const log = logOf(
    answered(add),
    ...[starts(add), fails],
    ...[again, starts(add), fails],
    ...[{ ...again, args: { a: 2 } }, withTwo, fails],
    ...[again, withTwo, ended('call_1', 'two')],
  )
  const use = { type: 'ToolUseBlock', id: 'call_1', name: 'add' }
  const error = { type: 'ToolUseError', id: 'call_1', error: 'No.' }

  expect(allOf(log)).toEqual([
    { ...use, input: { a: 1 } },
    { ...error, raw_data: '{"a": 1}' },
    { ...use, input: { a: 1 } },
    { ...error, raw_data: '{"a": 1}' },
    { ...use, input: { a: 2 } },
    { ...error, raw_data: '{"a":2}' },
    { ...use, input: { a: 2 } },
  ])
  // An adapter that starts after the answer has what the start of the call says.
  const late = log.slice(log.findIndex(({ type }) => type === 'tool_execution_end'))
  expect(allOf(late).slice(1, 3)).toEqual([
    { ...use, input: { a: 1 } },
    { ...error, raw_data: '{"a":1}' },
  ])
})

test('events of sub-agents are left out', () => {
  expect(allOf(logOf(answered(text('Hi.'))).map((event) => ({ ...event, agentId: 'x' })))).toEqual(
    [],
  )
})

test('[S004-12] with three turns at most a model that loops makes exactly three ToolUseBlocks', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { loop: () => 'looping' })
  const again = [callTo('loop')]
  const model = scriptedModel(again, again, again, again)
  const { agent, events } = watchedAgent({ model, tools, maxTurns: 3 }, environment)

  await agent.prompt('Start loop')

  expect(allOf(events).map(({ type }) => type)).toEqual([
    'ToolUseBlock',
    'ToolUseBlock',
    'ToolUseBlock',
  ])
})

test('[S004-6] [S004-12] reads the events of an agent: an unknown tool, then an answer', async () => {
  const model = scriptedModel([callTo('nonexistent')], [say('Tool not found')])
  const { agent, events } = watchedAgent({ model })

  await agent.prompt('Use nonexistent tool')

  expect(allOf(events)).toEqual([
    { type: 'ToolUseBlock', id: expect.any(String), name: 'nonexistent', input: {} },
    {
      type: 'ToolUseError',
      id: expect.any(String),
      error: 'Unknown tool: nonexistent',
      raw_data: '{}',
    },
    { type: 'TextBlock', text: 'Tool not found' },
  ])
})

test('[S004-7] [S004-13] a call that a hook blocks is shown, does not run, and has its result', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { dangerous: () => expect.unreachable() })
  const model = scriptedModel([callTo('dangerous')], [say('Operation blocked')])
  const hooks = { beforeToolCall: () => ({ block: true, reason: 'Blocked' }) as const }
  const { agent, events } = watchedAgent({ model, tools, hooks }, environment)

  const { messages } = await agent.prompt('Do something dangerous')

  expect(allOf(events)).toMatchObject([
    { type: 'ToolUseBlock', name: 'dangerous' },
    { type: 'ToolUseError', error: expect.stringContaining('Blocked') },
    { type: 'TextBlock', text: 'Operation blocked' },
  ])
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'toolResult', 'assistant'])
})

test('[S004-13] at the limit of turns no request is opened whose events are not read', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { loop: () => 'looping' })
  const model = scriptedModel([callTo('loop')], [callTo('loop')])
  const { agent } = watchedAgent({ model, tools, maxTurns: 2 }, environment)

  const { reason } = await agent.prompt('Start loop')

  expect({ reason, requests: model.requests.length }).toEqual({ reason: 'max_turns', requests: 2 })
})

function allOf(events: readonly AgentEvent[]) {
  return events.flatMap(createBlockEvents())
}
