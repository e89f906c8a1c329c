import type { AgentEvent } from '@offthread/core'
import { call as callTo, fail, say, scriptedModel } from '@offthread/core/testing'
import { expect, test } from 'vitest'
import { pageTools, watchedAgent } from '../../core/src/agent/agent.fixtures.ts'
import {
  agentEnd,
  call,
  ended,
  handedOut,
  logOf,
  step,
} from '../../core/src/kernel/log.fixtures.ts'
import { createManualEnvironment } from '../../core/src/runtime/environment.fixtures.ts'
import { createChatEvents } from './chat-events.ts'

test('[S002-6] a call streams as tool_call_start, its deltas, and content_block_stop', () => {
  const log = logOf(
    step('msg_1', { type: 'text_start', contentIndex: 0 }),
    step('msg_1', { type: 'text_delta', contentIndex: 0, delta: 'Let me see.' }),
    step('msg_1', { type: 'text_end', contentIndex: 0 }),
    step('msg_1', {
      type: 'toolcall_start',
      contentIndex: 1,
      toolCallId: 'call_1',
      toolName: 'add',
    }),
    step('msg_1', { type: 'toolcall_delta', contentIndex: 1, delta: '{"a":' }),
    step('msg_1', { type: 'toolcall_delta', contentIndex: 1, delta: '1}' }),
    step('msg_1', { type: 'toolcall_end', contentIndex: 1 }),
    step('msg_1', { type: 'thinking_start', contentIndex: 2 }),
  )

  expect(allOf(log)).toEqual([
    { type: 'text', text: 'Let me see.' },
    { type: 'content_block_stop', index: 0 },
    { type: 'tool_call_start', index: 1, id: 'call_1', name: 'add' },
    { type: 'tool_call_delta', index: 1, delta: '{"a":' },
    { type: 'tool_call_delta', index: 1, delta: '1}' },
    { type: 'content_block_stop', index: 1 },
  ])
})

test('[S002-1] [S002-4] [S002-8] every result is a tool_result, an error too', () => {
  const log = logOf(
    handedOut(call('call_1'), call('call_2'), call('call_3')),
    ended('call_1', 'three'),
    ended('call_2', 'No.', { isError: true, outcome: 'failed', errorKind: 'failed' }),
    ended('call_3', '3', { result: { content: [], structuredContent: { sum: 3 } } }),
  )

  expect(allOf(log)).toEqual([
    { type: 'tool_result', tool_call_id: 'call_1', success: true, content: 'three' },
    { type: 'tool_result', tool_call_id: 'call_2', success: false, content: 'No.', error: 'No.' },
    { type: 'tool_result', tool_call_id: 'call_3', success: true, content: { sum: 3 } },
  ])
})

test('[S002-5] [S002-7] a run is done, with a flag at the limit of turns; a failed one is an error', () => {
  const error = { kind: 'network', message: 'The line is dead.', retryable: true } as const

  expect(allOf(logOf(agentEnd('stop')))).toEqual([
    { type: 'done', max_turns_reached: false, reason: 'stop' },
  ])
  expect(allOf(logOf(agentEnd('max_turns', { maxTurnsReached: true })))).toEqual([
    { type: 'done', max_turns_reached: true, reason: 'max_turns' },
  ])
  expect(allOf(logOf(agentEnd('error', { error })))).toEqual([
    { type: 'error', error: 'The line is dead.' },
  ])
})

test('events of sub-agents are left out', () => {
  expect(allOf(logOf(agentEnd('stop')).map((event) => ({ ...event, agentId: 'x' })))).toEqual([])
})

test('[S002-4] [S002-5] reads the events of an agent up to its limit of turns', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { calendar: () => 'nothing' })
  const model = scriptedModel([callTo('calendar')], [say('Never read.')])
  const { agent, events } = watchedAgent({ model, tools, maxTurns: 1 }, environment)

  await agent.prompt('What is on my calendar?')

  expect(allOf(events)).toMatchObject([
    { type: 'tool_call_start', name: 'calendar' },
    { type: 'tool_call_delta', delta: '{}' },
    { type: 'content_block_stop', index: 0 },
    { type: 'tool_result', success: true, content: 'nothing' },
    { type: 'done', max_turns_reached: true },
  ])
})

test('[S002-7] reads the events of an agent whose model fails', async () => {
  const { agent, events } = watchedAgent({ model: scriptedModel([fail('auth', 'No key.')]) })

  await agent.prompt('Go.')

  expect(allOf(events)).toEqual([{ type: 'error', error: 'No key.' }])
})

function allOf(events: readonly AgentEvent[]) {
  return events.flatMap(createChatEvents())
}
