import type { AgentEvent } from '@offthread/core'
import { call as callTo, say, scriptedModel } from '@offthread/core/testing'
import { expect, test } from 'vitest'
import { pageTools, watchedAgent } from '../../core/src/agent/agent.fixtures.ts'
import {
  agentEnd,
  call,
  ended,
  handedOut,
  logOf,
  resultOf,
  step,
} from '../../core/src/kernel/log.fixtures.ts'
import { createManualEnvironment } from '../../core/src/runtime/environment.fixtures.ts'
import { createYoagentEvents } from './yoagent-events.ts'

const of = { toolCallId: 'call_1', toolName: 'add' } as const
const named = { tool_call_id: 'call_1', tool_name: 'add' }
const begun = logOf(handedOut(call('call_1')))

test('[S003-6] a call starts and ends, each call for itself', () => {
  const log = logOf(
    handedOut(call('call_1'), call('call_2')),
    ended('call_2', 'No.', { isError: true, outcome: 'failed', errorKind: 'failed' }),
    ended('call_1', 'one', { result: { ...resultOf('one'), details: { count: 1 } } }),
  )

  expect(allOf(log)).toEqual([
    { type: 'MessageStart' },
    { type: 'MessageEnd', message: { role: 'assistant', content: [] } },
    { type: 'ToolExecutionStart', ...named, args: {} },
    { type: 'ToolExecutionStart', ...named, tool_call_id: 'call_2', args: {} },
    {
      type: 'ToolExecutionEnd',
      ...named,
      tool_call_id: 'call_2',
      result: { content: [{ type: 'text', text: 'No.' }], details: null },
      is_error: true,
    },
    {
      type: 'ToolExecutionEnd',
      ...named,
      result: { content: [{ type: 'text', text: 'one' }], details: { count: 1 } },
      is_error: false,
    },
  ])
})

test('[S003-7] an update carries a partial result with details', () => {
  const partialResult = { ...resultOf('half'), details: { progress: 0.5 } }

  expect(saidBy({ type: 'tool_execution_update', ...of, partialResult })).toEqual([
    {
      type: 'ToolExecutionUpdate',
      ...named,
      partial_result: {
        content: [{ type: 'text', text: 'half' }],
        details: { progress: 0.5 },
      },
    },
  ])
})

test.each([
  [{ message: 'Almost done...' }, 'Almost done...'],
  [{ status: 'fetching' }, 'fetching'],
  [{ value: 3, total: 40, unit: 'files' }, '3/40 files'],
  [{ value: 3 }, '3'],
] as const)('[S003-8] progress is a ProgressMessage with a text: %j', (progress, text) => {
  expect(saidBy({ type: 'tool_progress', ...of, ...progress })).toEqual([
    { type: 'ProgressMessage', ...named, text },
  ])
})

test('[S003-9] text and thinking are MessageUpdates, and AgentEnd ends the stream', () => {
  const log = logOf(
    step('msg_1', { type: 'thinking_delta', contentIndex: 0, delta: 'Hm.' }),
    step('msg_1', { type: 'text_delta', contentIndex: 1, delta: 'Hello' }),
    step('msg_1', { type: 'text_end', contentIndex: 1 }),
    agentEnd('stop'),
  )

  expect(allOf(log)).toEqual([
    { type: 'MessageUpdate', delta: { type: 'Thinking', delta: 'Hm.' } },
    { type: 'MessageUpdate', delta: { type: 'Text', delta: 'Hello' } },
    { type: 'AgentEnd', reason: 'stop' },
  ])
})

test('events of sub-agents are left out', () => {
  expect(allOf(begun.map((event) => ({ ...event, agentId: 'child' })))).toEqual([])
})

test('[S003-7] [S003-8] [S003-9] reads the events of an agent: a deploy that reports its progress', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, {
    deploy: ({ onUpdate, onProgress }) => {
      onUpdate({ content: 'Building image', details: { step: 1, total: 4 } })
      onProgress('Starting analysis...')
      return 'Deployed.'
    },
  })
  const model = scriptedModel([callTo('deploy')], [say('Done.')])
  const { agent, events } = watchedAgent({ model, tools }, environment)

  await agent.prompt('Deploy to production')

  const received = allOf(events)
  expect(received).toMatchObject([
    { type: 'MessageStart' },
    { type: 'MessageEnd', message: { content: [] } },
    { type: 'ToolExecutionStart', tool_name: 'deploy' },
    {
      type: 'ToolExecutionUpdate',
      partial_result: { content: [{ text: 'Building image' }], details: { step: 1, total: 4 } },
    },
    { type: 'ProgressMessage', text: 'Starting analysis...' },
    { type: 'ToolExecutionEnd', is_error: false },
    { type: 'MessageStart' },
    { type: 'MessageUpdate', delta: { type: 'Text', delta: 'Done.' } },
    { type: 'MessageEnd', message: { content: [{ type: 'text', text: 'Done.' }] } },
    { type: 'AgentEnd' },
  ])
  expect(JSON.stringify(model.requests)).not.toContain('Building image')
})

function allOf(events: readonly AgentEvent[]) {
  return events.flatMap(createYoagentEvents())
}

function saidBy(fact: ReturnType<typeof handedOut>[number]) {
  return allOf(logOf(handedOut(call('call_1')), fact)).slice(-1)
}
