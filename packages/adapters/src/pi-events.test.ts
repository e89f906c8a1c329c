import type { AgentEvent } from '@offthread/core'
import { call as callTo, say, scriptedModel } from '@offthread/core/testing'
import { expect, test } from 'vitest'
import { pageTools, watchedAgent } from '../../core/src/agent/agent.fixtures.ts'
import {
  answer,
  call,
  delivered,
  ended,
  handedOut,
  logOf,
  resultOf,
  toolMessage,
  toolsEnd,
} from '../../core/src/kernel/log.fixtures.ts'
import { createManualEnvironment } from '../../core/src/runtime/environment.fixtures.ts'
import { createPiEvents } from './pi-events.ts'

const messages = [toolMessage('call_1', 'one'), toolMessage('call_2', 'two')] as const
const batch = logOf(
  handedOut(call('call_1'), call('call_2')),
  {
    type: 'tool_execution_update',
    toolCallId: 'call_1',
    toolName: 'add',
    partialResult: { content: [{ type: 'text', text: 'half' }], details: { step: 1 } },
  },
  ended('call_2', 'two'),
  ended('call_1', 'one', { result: { ...resultOf('one'), details: { count: 1 } } }),
  toolsEnd(...messages),
  delivered('msg_3', messages[0]),
  delivered('msg_4', messages[1]),
)

test('[S000-4] [S000-7] [S000-8] [S000-10] starts come first; ends and result messages in call order, when all are done', () => {
  const events = allOf(batch).slice(4)

  expect(events.map(nameOf)).toEqual([
    'ToolExecutionStartEvent call_1',
    'ToolExecutionStartEvent call_2',
    'ToolExecutionUpdateEvent call_1',
    'ToolExecutionEndEvent call_1',
    'ToolExecutionEndEvent call_2',
    'MessageStartEvent call_1',
    'MessageEndEvent call_1',
    'MessageStartEvent call_2',
    'MessageEndEvent call_2',
  ])
})

test('[S000-2] [S000-6] [S000-14] [S000-15] events carry blocks: calls as tool_call, updates and results with details', () => {
  const events = allOf(batch)

  expect(events).toContainEqual({
    type: 'MessageEndEvent',
    message: {
      role: 'assistant',
      content: [
        { type: 'tool_call', id: 'call_1', name: 'add', arguments: {} },
        { type: 'tool_call', id: 'call_2', name: 'add', arguments: {} },
      ],
    },
  })
  expect(events).toContainEqual({
    type: 'ToolExecutionUpdateEvent',
    tool_call_id: 'call_1',
    tool_name: 'add',
    args: {},
    partial_result: { content: [{ type: 'text', text: 'half' }], details: { step: 1 } },
  })
  expect(events).toContainEqual({
    type: 'ToolExecutionEndEvent',
    tool_call_id: 'call_1',
    tool_name: 'add',
    result: { content: [{ type: 'text', text: 'one' }], details: { count: 1 } },
    is_error: false,
  })
  expect(events).toContainEqual({
    type: 'MessageEndEvent',
    message: {
      role: 'tool_result',
      tool_call_id: 'call_2',
      tool_name: 'add',
      content: [{ type: 'text', text: 'two' }],
      is_error: false,
    },
  })
})

test('an answer that is no part of the conversation is marked, one that is not JSON has no arguments', () => {
  const log = logOf(
    answer('msg_1', [call('call_1', 'add', '{"a":')], { excluded: true, stopReason: 'error' }),
  )

  expect(allOf(log)).toContainEqual({
    type: 'MessageEndEvent',
    message: {
      role: 'assistant',
      content: [{ type: 'tool_call', id: 'call_1', name: 'add', arguments: {} }],
      excluded: true,
    },
  })
})

test('events of sub-agents are left out', () => {
  expect(allOf(batch.map((event) => ({ ...event, agentId: 'child' })))).toEqual([])
})

test('[S000-5] [S000-7] reads the events of an agent: two calls at once, their ends in call order', async () => {
  const environment = createManualEnvironment()
  let endSlow = (_result: string) => {}
  const tools = pageTools(environment, {
    slow: () => new Promise<string>((resolve) => (endSlow = resolve)),
    fast: () => {
      endSlow('slow is done')
      return 'fast is done'
    },
  })
  const model = scriptedModel([callTo('slow'), callTo('fast')], [say('Done.')])
  const { agent, events } = watchedAgent({ model, tools }, environment)

  await agent.prompt('Go.')

  expect(allOf(events).filter(({ type }) => type.startsWith('Tool'))).toMatchObject([
    { type: 'ToolExecutionStartEvent', tool_name: 'slow' },
    { type: 'ToolExecutionStartEvent', tool_name: 'fast' },
    { type: 'ToolExecutionEndEvent', tool_name: 'slow', is_error: false },
    { type: 'ToolExecutionEndEvent', tool_name: 'fast', is_error: false },
  ])
})

function allOf(events: readonly AgentEvent[]) {
  return events.flatMap(createPiEvents())
}

function nameOf(event: ReturnType<typeof allOf>[number]): string {
  if ('tool_call_id' in event) return `${event.type} ${event.tool_call_id}`
  const { message } = event
  return `${event.type} ${message.role === 'tool_result' ? message.tool_call_id : message.role}`
}
