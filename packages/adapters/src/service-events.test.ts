import { type Agent, type AgentEvent, defineTool, inClient } from '@offthread/core'
import { call as callTo, say, scriptedModel, testAgent } from '@offthread/core/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { pageTools, watchedAgent } from '../../core/src/agent/agent.fixtures.ts'
import {
  call,
  ended,
  handedOut,
  logOf,
  starts,
  step,
  toolMessage,
  toolsEnd,
  turnEnd,
  turnStart,
} from '../../core/src/kernel/log.fixtures.ts'
import { createManualEnvironment } from '../../core/src/runtime/environment.fixtures.ts'
import { toServerSentEvent } from './server-sent-event.ts'
import { createServiceEvents, type ServiceEvent } from './service-events.ts'

const of = { toolCallId: 'call_1', toolName: 'add' } as const
const named = { tool_call_id: 'call_1', tool_name: 'add' }
const begun = logOf(handedOut(call('call_1')))

test('[S001-8] a call that starts has no event of its own', () => {
  expect(allOf(begun)).toEqual([])
})

test('[S001-3] the status that a tool reports is a tool_status', () => {
  expect(
    saidBy({ type: 'tool_progress', ...of, status: 'fetching', message: 'Getting data...' }),
  ).toEqual([
    { event: 'tool_status', data: { status: 'fetching', message: 'Getting data...', ...named } },
  ])
  expect(
    saidBy({ type: 'tool_progress', ...of, status: 'fetching', value: 3, total: 10, unit: 'rows' }),
  ).toEqual([
    {
      event: 'tool_status',
      data: { status: 'fetching', message: '', value: 3, total: 10, unit: 'rows', ...named },
    },
  ])
})

test('[S001-4] [S001-12] progress and the events of a tool are passed on unchanged, under their own names', () => {
  expect(saidBy({ type: 'tool_progress', ...of, value: 3, total: 40, unit: 'files' })).toEqual([
    { event: 'progress', data: { value: 3, total: 40, unit: 'files', ...named } },
  ])
  expect(saidBy({ type: 'tool_custom', ...of, name: 'options', data: { a: [1, 2] } })).toEqual([
    { event: 'options', data: { a: [1, 2] } },
  ])
  for (const data of [['yes', 'no'], [], 'yes', '', 0, false, null, { data: 1 }]) {
    const [event, ...others] = saidBy({ type: 'tool_custom', ...of, name: 'choices', data })
    expect([event, ...others]).toEqual([{ event: 'choices', data }])
    expect(event && toServerSentEvent(event)).toBe(
      `event: choices\ndata: ${JSON.stringify(data)}\n\n`,
    )
  }
})

test('[R10] [S001-7] after a retry tools_end has the messages of all calls, and to track what ended since', () => {
  const [one, two] = [toolMessage('call_1', 'one'), toolMessage('call_2', 'two')]
  const log = logOf(
    handedOut(call('call_1'), call('call_2')),
    ended('call_1', 'one'),
    ended('call_2', 'two'),
    toolsEnd(one, two),
    { type: 'tool_retry_requested', toolCallId: 'call_1', by: 'user' },
    starts(call('call_1')),
    ended('call_1', 'again'),
    toolsEnd(toolMessage('call_1', 'again'), two),
  )

  const [ofOne, ofTwo] = [{ tool_call_id: 'call_1' }, { tool_call_id: 'call_2' }]
  expect(allOf(log)).toMatchObject([
    { data: { tool_messages: [ofOne, ofTwo], execution_results: [ofOne, ofTwo] } },
    { data: { tool_messages: [ofOne, ofTwo], execution_results: [ofOne] } },
  ])
})

test('a tool cannot end a batch by using the name of that event', () => {
  expect(saidBy({ type: 'tool_custom', ...of, name: 'tools_end', data: {} })).toEqual([])
})

test('[S001-7] a batch ends with what the model reads and what is tracked', () => {
  const log = logOf(handedOut(call('call_1')), ended('call_1'), toolsEnd(toolMessage('call_1')))

  expect(allOf(log)).toEqual([
    {
      event: 'tools_end',
      data: {
        tool_messages: [
          {
            role: 'tool',
            tool_call_id: 'call_1',
            name: 'add',
            content: [{ type: 'text', text: 'done' }],
            is_error: false,
          },
        ],
        execution_results: [
          {
            tool_call_id: 'call_1',
            tool_name: 'add',
            success: true,
            outcome: 'succeeded',
            duration_ms: 3,
          },
        ],
      },
    },
  ])
})

test('[S001-11] text streams as assistant_message_delta; between tools and the next answer it is thinking', () => {
  const log = logOf(
    handedOut(call('call_1')),
    ended('call_1'),
    toolsEnd(toolMessage('call_1')),
    turnEnd(),
    turnStart,
    step('msg_9', { type: 'text_start', contentIndex: 0 }),
    step('msg_9', { type: 'text_delta', contentIndex: 0, delta: 'Hello' }),
    step('msg_9', { type: 'text_end', contentIndex: 0 }),
  )

  expect(allOf(log).slice(1)).toEqual([
    { event: 'thinking', data: { message: 'Processing...' } },
    { event: 'assistant_message_delta', data: { delta: 'Hello' } },
  ])
})

test('events of sub-agents are left out', () => {
  const log = logOf(handedOut(call('call_1')), toolsEnd(toolMessage('call_1')))

  expect(allOf(log.map((event) => ({ ...event, agentId: 'child' })))).toEqual([])
})

test('[S001-3] [S001-6] [S001-7] [S001-11] [S001-12] reads the events of an agent: what a tool says as it says it, then the end of the batch', async () => {
  const environment = createManualEnvironment()
  const received: ServiceEvent[] = []
  let heardBefore: readonly string[] = []
  const tools = pageTools(environment, {
    fetch: ({ onProgress, custom }) => {
      onProgress({ status: 'fetching' })
      heardBefore = received.map(({ event }) => event)
      custom('options', ['a', 'b'])
      onProgress({ status: 'processing' })
      onProgress({ status: 'complete', message: 'Retrieved 3 records' })
      return 'three'
    },
  })
  const model = scriptedModel([callTo('fetch')], [say('Three.')])
  const { agent } = watchedAgent({ model, tools }, environment)
  const toService = createServiceEvents()
  agent.subscribe((event) => received.push(...toService(event)))

  await agent.prompt('How many?')

  expect(heardBefore).toEqual(['tool_status'])
  expect(received).toMatchObject([
    { event: 'tool_status', data: { status: 'fetching' } },
    { event: 'options', data: ['a', 'b'] },
    { event: 'tool_status', data: { status: 'processing' } },
    { event: 'tool_status', data: { status: 'complete', message: 'Retrieved 3 records' } },
    { event: 'tools_end', data: { execution_results: [{ tool_name: 'fetch', success: true }] } },
    { event: 'thinking' },
    { event: 'assistant_message_delta', data: { delta: 'Three.' } },
  ])
})

test('[S001-11] the turn of a follow-up that no tool preceded begins without thinking', async () => {
  const received: ServiceEvent[] = []
  const model = scriptedModel([say('One.')], [say('Two.')], [say('Three.')])
  const { agent } = watchedAgent({ model })
  const toService = createServiceEvents()
  agent.subscribe((event) => received.push(...toService(event)))
  agent.followUp('And?')

  await agent.prompt('Go.')
  await agent.prompt('Go on.')

  expect(model.requests).toHaveLength(3)
  expect(received.map(({ event }) => event)).not.toContain('thinking')
})

test.for([
  ['a new prompt', (agent: Agent) => agent.prompt('Other.'), []],
  ['another try at the question', (agent: Agent) => agent.regenerate(), []],
  ['going on', (agent: Agent) => agent.continue(), ['thinking']],
] as const)('[S001-11] after tools at the limit of turns: %s', async ([, goOn, thoughts]) => {
  const model = scriptedModel([callTo('nope')], [say('Done.')])
  const { agent, events } = watchedAgent({ model, maxTurns: 1 })
  await agent.prompt('Go.')

  await goOn(agent)

  const received = allOf(events).map(({ event }) => event)
  expect(received.filter((name) => name === 'thinking')).toEqual(thoughts)
})

test.for([
  ['a new prompt, which cancels it', (agent: Agent) => agent.prompt('Other.'), []],
  ['its answer', (agent: Agent) => agent.addToolResult('call_1', 'Done.'), ['thinking']],
] as const)('[S001-11] after a call that waits: %s', async ([, goOn, thoughts]) => {
  const ask = defineTool({
    name: 'ask',
    description: '',
    place: 'client',
    inputSchema: z.object({}),
  })
  const model = scriptedModel([callTo('ask')], [say('Done.')])
  const { agent, events, settled } = testAgent({ model, tools: inClient([ask]) })
  await agent.prompt('Go.')

  await goOn(agent)
  await settled()

  const received = allOf(events).map(({ event }) => event)
  expect(received.filter((name) => name === 'thinking')).toEqual(thoughts)
})

function allOf(events: readonly AgentEvent[]) {
  return events.flatMap(createServiceEvents())
}

function saidBy(fact: ReturnType<typeof handedOut>[number]) {
  return allOf(logOf(handedOut(call('call_1')), fact))
}
