import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AgentEvent } from '../kernel/events.ts'
import { readArgs, textOf } from '../kernel/message.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { createPuppetStorage } from '../runtime/puppet-storage.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { memoryStorage } from '../storage/memory.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import {
  call,
  finish,
  rawCall,
  type ScriptedModel,
  say,
  scriptedModel,
} from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { ToolError } from '../tools/tool-error.ts'
import { pageTools, passTime, resultsIn, watchedAgent } from './agent.fixtures.ts'
import { createAgentIn } from './create-agent.ts'
import type { AgentOptions } from './options.ts'
import { AgentUsageError } from './usage-errors.ts'

const picking = {
  name: 'pick',
  description: 'Has the user pick a date.',
  place: 'client',
  inputSchema: z.object({ min: z.string().optional() }),
  outputSchema: z.object({ date: z.string() }),
} as const
const pick = defineTool(picking)

test('[I7] [A1] [A2] a call that people answer ends the run, and its answer continues it by itself', async () => {
  const model = scriptedModel([call('pick')], [say('Booked.')])
  const { agent, eventsOf, types } = watchedAgent({ model, tools: inClient([pick]) })

  expect(await agent.prompt('Book it.')).toMatchObject({ reason: 'awaiting_tool_results' })
  expect(agent.getState()).toMatchObject({
    status: 'awaiting_tool_results',
    toolCalls: { active: [{ toolCallId: 'call_1', place: 'client' }] },
  })
  expect(types().slice(-2)).toEqual(['turn_end', 'agent_end'])
  expect(types()).not.toContain('tools_end')

  await agent.addToolResult('call_1', { date: '2026-03-01' })
  await quiet()

  expect(agent.getState()).toMatchObject({ status: 'ready', lastReason: 'stop' })
  expect(eventsOf('agent_start').map(({ trigger }) => trigger)).toEqual(['prompt', 'resume'])
  expect(resultsIn(model.requests[1])).toEqual(['{"date":"2026-03-01"}'])
  const resumed = types().slice(types().lastIndexOf('agent_start'))
  expect(resumed.slice(0, 6)).toEqual([
    'agent_start',
    'tool_execution_end',
    'tools_end',
    'message_start',
    'message_end',
    'turn_start',
  ])
  expect(eventsOf('tools_end')).toMatchObject([{ turn: 0, runId: 'run_2' }])
  expect(types()).not.toContain('tool_dispatched')
})

test('an answer that names its tool counts for calls of that tool only', async () => {
  const model = scriptedModel([call('pick')], [say('Booked.')])
  const { agent } = watchedAgent({ model, tools: inClient([pick]) })
  await agent.prompt('Book it.')

  const answer = { date: '2026-03-01' }
  const wrong = agent.addToolResult('call_1', answer, { toolName: 'book' })
  await expect(wrong).rejects.toMatchObject({ code: 'not_answerable' })
  await expect(wrong).rejects.toThrow('The call call_1 is one of "pick", not of "book".')
  await agent.addToolResult('call_1', answer, { toolName: 'pick' })
  await quiet()

  expect(agent.getState().toolCalls.get('call_1')).toMatchObject({ status: 'succeeded' })
})

test('a failure given as an answer need not fit the schema of answers', async () => {
  const model = scriptedModel([call('pick')], [say('Then not.')])
  const { agent, eventsOf } = watchedAgent({ model, tools: inClient([pick]) })
  await agent.prompt('Book it.')

  await agent.addToolResult('call_1', 'The dialog was closed.', { isError: true })
  await quiet()

  expect(resultsIn(model.requests[1])).toEqual(['The dialog was closed.'])
  expect(eventsOf('tool_execution_end')).toMatchObject([{ isError: true, outcome: 'failed' }])
})

test('[I13] in a mixed batch the other calls run to their end, and the last answer continues the run', async () => {
  const environment = createManualEnvironment()
  const host = fakeWorkers([workerTool('a'), workerTool('b')], { clock: environment.clock })
  const model = scriptedModel([call('a'), call('pick'), call('b')], [say('Done.')])
  const { agent, eventsOf } = watchedAgent({ model, tools: [host, inClient([pick])] }, environment)
  const done = agent.prompt('Go.')
  await quiet()

  await agent.addToolResult('call_2', { date: '2026-03-01' })
  host.worker('b').answer('from b')
  await quiet()
  expect(eventsOf('agent_end')).toEqual([])
  host.worker('a').answer('from a')

  expect(await done).toMatchObject({ reason: 'stop', text: 'Done.' })
  expect(eventsOf('agent_start')).toHaveLength(1)
  expect(resultsIn(model.requests[1])).toEqual(['from a', '{"date":"2026-03-01"}', 'from b'])
})

test('[A1] in a mixed batch the run ends when only calls for people are open', async () => {
  const environment = createManualEnvironment()
  const tools = [pageTools(environment, { a: () => 'from a' }), inClient([pick])]
  const model = scriptedModel([call('pick'), call('a'), call('pick')], [say('Done.')])
  const { agent, eventsOf } = watchedAgent({ model, tools }, environment)

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'awaiting_tool_results' })
  expect(eventsOf('tool_execution_end')).toMatchObject([{ toolCallId: 'call_2' }])
  await agent.addToolResult('call_3', { date: '3' })
  await quiet()
  expect(eventsOf('agent_start')).toHaveLength(1)
  await agent.addToolResult('call_1', { date: '1' })
  await quiet()

  expect(resultsIn(model.requests[1])).toEqual(['{"date":"1"}', 'from a', '{"date":"3"}'])
})

test('[I9] [I14] one by one: a call that people answer holds up none after it', async () => {
  const environment = createManualEnvironment()
  const tools = [pageTools(environment, { a: () => 'from a' }), inClient([pick])]
  const model = scriptedModel([call('pick'), call('a'), call('pick')], [say('Done.')])
  const { agent, eventsOf } = watchedAgent(
    { model, tools, toolExecution: 'sequential' },
    environment,
  )

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'awaiting_tool_results' })

  expect(eventsOf('tool_execution_start')).toHaveLength(3)
  expect(eventsOf('tool_execution_end')).toMatchObject([{ toolName: 'a' }])
  await agent.addToolResult('call_1', { date: '1' })
  await agent.addToolResult('call_3', { date: '3' })
  await quiet()
  expect(resultsIn(model.requests[1])).toEqual(['{"date":"1"}', 'from a', '{"date":"3"}'])
})

test('[I29] [I38] a call that people answer survives a reload, and its answer continues the run by itself', async () => {
  const storage = createPuppetStorage()
  const shared = { storage, sessionId: 'session_1', tools: inClient([pick]) }
  const first = watchedAgent({ ...shared, model: scriptedModel([call('pick'), call('pick')]) })
  await first.agent.prompt('Go.')
  await first.agent.addToolResult('call_1', { date: '1' })
  await quiet()
  first.agent.dispose()

  const model = scriptedModel([say('Booked.')])
  const { agent } = watchedAgent({ ...shared, model }, first.environment)
  await agent.addToolResult('call_2', { date: '2' })
  await quiet()

  expect(agent.getState()).toMatchObject({ status: 'ready', lastReason: 'stop' })
  expect(resultsIn(model.requests[0])).toEqual(['{"date":"1"}', '{"date":"2"}'])
})

test('an answer may be an error, and has to fit the tool', async () => {
  const model = scriptedModel([call('pick'), call('pick')], [say('Too bad.')])
  const { agent, events } = watchedAgent({ model, tools: inClient([pick]) })
  await agent.prompt('Go.')
  const before = events.length

  await expect(agent.addToolResult('call_1', { day: 1 })).rejects.toThrow(TypeError)
  await expect(agent.addToolResult('call_1', () => {})).rejects.toThrow(TypeError)
  expect(events).toHaveLength(before)

  await agent.addToolResult('call_1', { date: 'none' }, { isError: true })
  await agent.addToolResult('call_2', ToolError.failed('No date was picked.'))
  await quiet()
  const results = model.requests[1]?.messages.filter(({ role }) => role === 'toolResult')
  expect(results).toMatchObject([{ isError: true }, { isError: true }])
  expect(resultsIn(model.requests[1])).toEqual(['{"date":"none"}', 'No date was picked.'])
})

test('[D76] an answer that its schema never finishes to check is refused', async () => {
  const environment = createManualEnvironment()
  const outputSchema = picking.outputSchema.refine(() => new Promise<boolean>(() => {}))
  const tools = inClient([defineTool({ ...picking, outputSchema })])
  const model = scriptedModel([call('pick')], [say('Too bad.')])
  const { agent } = watchedAgent({ model, tools, hookTimeoutMs: 100 }, environment)
  await agent.prompt('Go.')

  const answered = agent.addToolResult('call_1', { date: '1' })
  await passTime(
    environment,
    expect(answered).rejects.toThrow(
      new TypeError('The result of "pick" cannot be used: It took longer than 0.1 s.'),
    ),
  )
  const disposed = agent.addToolResult('call_1', { date: '1' })
  await quiet()
  agent.dispose()
  await expect(disposed).rejects.toThrow('The agent was disposed.')
  expect(environment.clock.pending()).toBe(0)
})

test('[I34] one call is answered once, also by two answers at the same time', async () => {
  const model = scriptedModel([call('pick'), call('pick')], [say('Fine.')])
  const { agent, eventsOf } = watchedAgent({ model, tools: inClient([pick]) })
  await agent.prompt('Go.')

  const answers = await Promise.allSettled([
    agent.addToolResult('call_1', { date: '1' }),
    agent.addToolResult('call_1', { date: '2' }),
  ])
  await expect(agent.addToolResult('call_1', { date: '3' })).rejects.toMatchObject({
    code: 'settled_call',
  })

  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(eventsOf('tool_result_staged')).toMatchObject([
    { result: { structuredContent: { date: '1' } } },
  ])
})

test('[I7] [A7] a new prompt cancels open calls, and a late answer is refused', async () => {
  const model = scriptedModel([call('pick')], [say('Then not.')])
  const { agent, eventsOf } = watchedAgent({ model, tools: inClient([pick]) })
  await agent.prompt('Go.')

  expect(await agent.prompt('Never mind.')).toMatchObject({ reason: 'stop', text: 'Then not.' })

  expect(eventsOf('tool_execution_end')).toMatchObject([
    { outcome: 'cancelled', turn: 0, runId: 'run_2' },
  ])
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'toolResult',
    'user',
  ])
  await expect(agent.addToolResult('call_1', { date: '1' })).rejects.toThrow(AgentUsageError)
})

test('a waiting call may be cancelled, which continues the run', async () => {
  const model = scriptedModel([call('pick')], [say('Then not.')])
  const { agent } = watchedAgent({ model, tools: inClient([pick]) })
  await agent.prompt('Go.')

  expect(agent.cancelTool('call_1')).toBe(true)
  await quiet()

  expect(agent.getState()).toMatchObject({ status: 'ready', lastReason: 'stop' })
  expect(resultsIn(model.requests[1])).toEqual([
    'Cancelled by the user before it started. It did not run.',
  ])
})

test('a call that needs approval is answered after the approval, not before', async () => {
  const careful = { ...pick, needsApproval: true }
  const model = scriptedModel([call('pick')], [say('Done.')])
  const { agent, events } = watchedAgent({ model, tools: inClient([careful]) })
  const done = agent.prompt('Go.')
  await quiet()
  const before = events.length
  await expect(agent.addToolResult('call_1', { date: '1' })).rejects.toThrow(AgentUsageError)
  expect(events).toHaveLength(before)

  const { argsDigest = '' } = agent.getState().toolCalls.get('call_1')?.approval ?? {}
  agent.respondToApproval('call_1', { decision: 'approve', argsDigest })
  expect(await done).toMatchObject({ reason: 'awaiting_tool_results' })
  await agent.addToolResult('call_1', { date: '1' })
  await quiet()

  expect(resultsIn(model.requests[1])).toEqual(['{"date":"1"}'])
})

test('[I26] messages queued while calls wait are delivered after their results', async () => {
  const model = scriptedModel([call('pick')], [say('Done.')])
  const { agent } = watchedAgent({ model, tools: inClient([pick]) })
  await agent.prompt('Go.')
  agent.steer('Hurry.')
  await expect(agent.continue()).rejects.toMatchObject({ code: 'unanswered_calls' })

  await agent.addToolResult('call_1', { date: '1' })
  await quiet()

  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'toolResult',
    'user',
  ])
  expect(agent.getState()).toMatchObject({ lastReason: 'stop', queues: { steering: [] } })
})

const codes = { double: (_: unknown, { n }: { readonly n?: unknown }) => Number(n) * 2 }

/** A prompt with two rounds of calls, one of which cannot run. */
const rounds = () =>
  scriptedModel(
    [say('Let me see.'), call('double', { n: 2 }), call('double', { n: 3 })],
    [call('double', { n: 10 })],
    [say('4, 6 and 20.')],
  )

function plain(messages: readonly { readonly role: string; readonly content: unknown }[]) {
  return messages.map(({ role, content }) => ({ role, content }))
}

test('[I32] [S004-1] [S004-3] [S004-12] manual mode runs nothing, and ends in the transcript of auto mode', async () => {
  const environment = createManualEnvironment()
  const tools = pageTools(environment, codes)
  const auto = rounds()
  await watchedAgent({ model: auto, tools }, environment).agent.prompt('Double them.')

  const model = rounds()
  const { agent, eventsOf, types } = watchedAgent({ model, tools, toolMode: 'manual' })
  let result = await agent.prompt('Double them.')
  while (result.reason === 'awaiting_tool_results') {
    expect(types().slice(-2)).toEqual(['turn_end', 'agent_end'])
    for (const { toolCallId, argsText } of agent.getState().toolCalls.active) {
      const reading = readArgs(argsText)
      await agent.addToolResult(toolCallId, reading.ok && codes.double(null, reading.args))
    }
    await quiet()
    result = await agent.continue()
  }

  expect(result).toMatchObject({ reason: 'stop', text: '4, 6 and 20.' })
  expect(types()).not.toContain('tool_dispatched')
  expect(eventsOf('agent_start').map(({ trigger }) => trigger)).toEqual([
    'prompt',
    'continue',
    'continue',
  ])
  expect(model.requests.map(({ messages }) => plain(messages))).toEqual(
    auto.requests.map(({ messages }) => plain(messages)),
  )
})

test('[S004-3] [S004-12] in manual mode the history is the question, the answer and its results', async () => {
  const model = scriptedModel([call('double', { n: 1 })], [say('2.')])
  const environment = createManualEnvironment()
  const tools = pageTools(environment, codes)
  const { agent, events } = watchedAgent({ model, tools, toolMode: 'manual' }, environment)
  await agent.prompt('Double it.')
  await expect(agent.continue()).rejects.toMatchObject({ code: 'unanswered_calls' })
  await agent.addToolResult('call_1', 2)
  await quiet()
  expect(model.requests).toHaveLength(1)

  const { messages } = await agent.continue()

  expect(messages.map(({ role }) => role)).toEqual(['toolResult', 'assistant'])
  const written = events.filter((event: AgentEvent) => event.type === 'message_end')
  expect(written.map(({ message }) => message.role)).toEqual([
    'user',
    'assistant',
    'toolResult',
    'assistant',
  ])
})

test('[I18] [I32] in manual mode a call with bad arguments is shown as it is, and can be answered', async () => {
  const model = scriptedModel([rawCall('double', '{"n":')], [say('Sorry.')])
  const environment = createManualEnvironment()
  const tools = pageTools(environment, codes)
  const { agent } = watchedAgent({ model, tools, toolMode: 'manual' }, environment)
  await agent.prompt('Double it.')

  await agent.addToolResult('call_1', ToolError.invalidArgs('That is no JSON.'))

  expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'Sorry.' })
  expect(resultsIn(model.requests[1])).toEqual(['That is no JSON.'])
})

test('[I7] in manual mode a call may be cancelled, and one of an unknown tool answered', async () => {
  const model = scriptedModel([call('pick'), call('missing')], [say('Well.')])
  const { agent } = watchedAgent({ model, tools: inClient([pick]), toolMode: 'manual' })
  await agent.prompt('Go.')

  agent.cancelTool('call_1')
  await agent.addToolResult('call_2', 'Found elsewhere.')

  expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'Well.' })
  expect(resultsIn(model.requests[1])).toEqual([
    'Cancelled by the user before it started. It did not run.',
    'Found elsewhere.',
  ])
})

test('[A10] a call that is cancelled without a run is over at once, and no answer is taken for it', async () => {
  const model = scriptedModel([call('pick'), call('pick')], [say('Well.')])
  const tools = inClient([pick])
  const { agent, types } = watchedAgent({ model, tools, toolMode: 'manual' })
  await agent.prompt('Go.')

  agent.cancelTool('call_1')
  await quiet()

  const { toolCalls, status } = agent.getState()
  expect(toolCalls.get('call_1')).toMatchObject({ status: 'cancelled', hasEnded: true })
  expect(toolCalls.active.map(({ toolCallId }) => toolCallId)).toEqual(['call_2'])
  expect(status).toBe('awaiting_tool_results')
  await expect(agent.addToolResult('call_1', 1)).rejects.toMatchObject({ code: 'settled_call' })
  expect(agent.cancelTool('call_1')).toBe(false)
  expect(textOf(agent.getTranscript()[2]?.content ?? [])).toMatch(/^Cancelled by the user before/)
  // Its end is written by the run that continues.
  expect(types()).not.toContain('tool_execution_end')
  await agent.addToolResult('call_2', { date: '1' })
  await agent.continue()
  expect(agent.getState().toolCalls.get('call_1')).toMatchObject({ status: 'cancelled' })
})

test('[A9] calls that the head has moved away from are not waited for any more', async () => {
  const model = scriptedModel([call('pick')])
  const { agent } = watchedAgent({ model, tools: inClient([pick]) })
  await agent.prompt('Go.')

  agent.moveHead(null)
  await quiet()

  expect(agent.getState().status).toBe('ready')
})

test.for(['auto', 'manual'] as const)(
  '[H1] in %s mode the page reads the arguments that hooks gave, also after its answer',
  async (toolMode) => {
    const model = scriptedModel([call('pick', { min: 'any' })], [say('Well.')])
    const hooks = { beforeToolCall: () => ({ args: { min: 'today' } }) }
    const { agent } = watchedAgent({ model, tools: inClient([pick]), toolMode, hooks })
    const seen = () => agent.getState().toolCalls.get('call_1')
    await agent.prompt('Go.')

    expect(seen()).toMatchObject({ hasValidArgs: true, args: { min: 'today' } })

    await agent.addToolResult('call_1', { date: '1' })
    if (toolMode === 'manual') await agent.continue()
    await quiet()
    expect(seen()).toMatchObject({ status: 'succeeded', args: { min: 'today' } })
    expect(seen()?.argsText).toBe('{"min":"any"}')
  },
)

test('[A6] the page reads the arguments that a person edited', async () => {
  const asking = defineTool({ ...picking, needsApproval: true })
  const model = scriptedModel([call('pick', { min: 'any' })], [say('Well.')])
  const { agent } = watchedAgent({ model, tools: inClient([asking]), approvalMode: 'pause' })
  await agent.prompt('Go.')
  const { argsDigest = '' } = agent.getState().toolCalls.get('call_1')?.approval ?? {}

  agent.respondToApproval('call_1', { decision: 'edit', argsDigest, args: { min: 'now' } })
  await quiet()

  expect(agent.getState().toolCalls.get('call_1')).toMatchObject({ args: { min: 'now' } })
})

test('[S004-12] [A1] after a reload in manual mode the calls that have their answer say so', async () => {
  const storage = memoryStorage()
  const calls = scriptedModel([call('pick'), call('pick')], [say('Well.')])
  const options = { tools: inClient([pick]), toolMode: 'manual', storage } as const
  const given = { ...options, sessionId: 'session_1' }
  const environment = createManualEnvironment()
  const first = watchedAgent({ ...given, model: calls }, environment).agent
  await first.ready
  await first.prompt('Go.')
  await first.addToolResult('call_1', { date: '1' })
  first.dispose()
  const { agent } = watchedAgent({ ...given, model: scriptedModel([say('Well.')]) }, environment)
  await agent.ready

  for (const { toolCallId, isAnswered } of agent.getState().toolCalls.active) {
    if (!isAnswered) await agent.addToolResult(toolCallId, { date: '2' })
  }

  expect((await agent.continue()).text).toBe('Well.')
  const { get } = agent.getState().toolCalls
  expect([get('call_1')?.output, get('call_2')?.output]).toEqual([{ date: '1' }, { date: '2' }])
  expect(get('call_1')).not.toHaveProperty('isAnswered')
})

test('[A1] [D65] a call that the page has answered is not cancelled any more', async () => {
  const model = scriptedModel([call('pick'), call('pick')], [say('Well.')])
  const { agent } = watchedAgent({ model, tools: inClient([pick]) })
  await agent.prompt('Go.')
  await agent.addToolResult('call_1', { date: '1' })

  expect(agent.cancelTool('call_1')).toBe(false)

  await agent.addToolResult('call_2', { date: '2' })
  await quiet()
  expect(resultsIn(model.requests[1])).toEqual(['{"date":"1"}', '{"date":"2"}'])
})

test('[A7] [D65] a new prompt leaves a call the answer that the page has given', async () => {
  const model = scriptedModel([call('pick'), call('pick')], [say('Well.')])
  const { agent } = watchedAgent({ model, tools: inClient([pick]), toolMode: 'manual' })
  await agent.prompt('Go.')
  await agent.addToolResult('call_1', { date: '1' })

  await agent.prompt('Never mind.')

  expect(resultsIn(model.requests[1])).toEqual([
    '{"date":"1"}',
    'Cancelled by the user before it started. It did not run.',
  ])
})

test('[A2] an answer that hooks did not see before a stop does not count, and no text says that the call did not run', async () => {
  const model = scriptedModel([call('pick')], [say('Well.')])
  const hooks = { afterToolCall: () => new Promise<undefined>(() => {}) }
  const { agent, eventsOf } = watchedAgent({ model, tools: inClient([pick]), hooks })
  await agent.prompt('Go.')
  await agent.addToolResult('call_1', { date: '1' })
  await quiet()

  agent.abort()
  await quiet()
  await agent.prompt('And now?')

  expect(resultsIn(model.requests[1])).toEqual([
    'Cancelled by the user while running. It may have had partial effects.',
  ])
  expect(eventsOf('tool_execution_end')).toMatchObject([{ mayHaveRun: true }])
})

describe('hooks in manual mode', () => {
  const asked = (): ScriptedModel =>
    scriptedModel(
      [
        call('double', { n: 1 }),
        call('double', { n: 2 }),
        call('missing'),
        call('double', { n: 4 }),
      ],
      [say('Well.')],
    )
  const options = (model: ScriptedModel, seen: string[]) =>
    ({
      model,
      tools: pageTools(createManualEnvironment(), codes, { needsApproval: true }),
      toolMode: 'manual',
      storage: memoryStorage(),
      sessionId: 'session_1',
      hooks: {
        beforeToolCall: ({ toolCallId }: { readonly toolCallId: string }) => {
          seen.push(toolCallId)
          if (toolCallId === 'call_2') return { block: true, reason: 'Not today.' }
          return toolCallId === 'call_4' ? { args: { n: 5 }, requireApproval: true } : undefined
        },
      },
    }) satisfies AgentOptions

  test('[I17] [S004-7] see each call once, before a person is asked for the others', async () => {
    const model = asked()
    const seen: string[] = []
    const { agent } = watchedAgent(options(model, seen))

    expect(await agent.prompt('Go.')).toMatchObject({ reason: 'awaiting_tool_results' })

    expect(seen).toEqual(['call_1', 'call_2', 'call_3', 'call_4'])
    const { status, toolCalls } = agent.getState()
    expect(status).toBe('awaiting_tool_results')
    expect(toolCalls.active.map(({ toolCallId }) => toolCallId)).toEqual([
      'call_1',
      'call_3',
      'call_4',
    ])
    expect(toolCalls.get('call_2')).toMatchObject({ status: 'denied', errorKind: 'denied' })
    await expect(agent.addToolResult('call_2', 4)).rejects.toMatchObject({ code: 'settled_call' })
    for (const { toolCallId } of toolCalls.active) await agent.addToolResult(toolCallId, 'By hand.')
    expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'Well.' })
    expect(resultsIn(model.requests[1])).toEqual([
      'By hand.',
      'The user did not allow this call. Not today. It did not run.',
      'By hand.',
      'By hand.',
    ])
    expect(seen).toHaveLength(4)
  })

  test('[I17] [I29] see no call again after a reload', async () => {
    const model = asked()
    const seen: string[] = []
    const shared = options(model, seen)
    const environment = createManualEnvironment()
    const before = createAgentIn(shared, environment)
    await before.prompt('Go.')
    before.dispose()
    await before.stored()

    const { agent } = watchedAgent(shared, environment)
    await agent.ready
    for (const { toolCallId } of agent.getState().toolCalls.active) {
      await agent.addToolResult(toolCallId, 'By hand.')
    }

    expect(await agent.continue()).toMatchObject({ reason: 'stop', text: 'Well.' })
    expect(seen).toHaveLength(4)
  })

  test('[I17] no answer counts before they have decided', async () => {
    const model = asked()
    const { agent } = watchedAgent({
      ...options(model, []),
      hooks: { beforeToolCall: () => new Promise(() => {}) },
    })
    const running = agent.prompt('Go.')
    await quiet()

    expect(agent.getState()).toMatchObject({ status: 'submitted', isActive: true })
    await expect(agent.addToolResult('call_1', 2)).rejects.toMatchObject({ code: 'not_answerable' })

    agent.abort()
    expect(await running).toMatchObject({ reason: 'aborted' })
  })
})

test('[I18] in manual mode the calls of a cut-off answer wait for nothing', async () => {
  const model = scriptedModel([call('pick'), finish('max_tokens')], [say('Again.')])
  const { agent } = watchedAgent({ model, tools: inClient([pick]), toolMode: 'manual' })

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop', text: 'Again.' })

  expect(resultsIn(model.requests[1])).toEqual([
    'Not run: the answer was cut off before this call was complete.',
  ])
})

test('[I37] regenerate cancels open calls, and sends the request without them', async () => {
  const model = scriptedModel([call('pick')], [say('Otherwise.')])
  const { agent, eventsOf } = watchedAgent({ model, tools: inClient([pick]), toolMode: 'manual' })
  await agent.prompt('Go.')

  expect(await agent.regenerate()).toMatchObject({ reason: 'stop', text: 'Otherwise.' })

  expect(eventsOf('tool_execution_end')).toMatchObject([{ outcome: 'cancelled', runId: null }])
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user'])
})
