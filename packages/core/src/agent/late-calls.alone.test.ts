import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { createDeferred } from '../internal/deferred.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { memoryStorage } from '../storage/memory.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { call, hold, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inClient } from '../tools/page/client-host.ts'
import { pageTools, resultsIn, watchedAgent } from './agent.fixtures.ts'
import { callPart } from './late-calls.ts'
import type { AgentOptions } from './options.ts'

const notStarted =
  'The tool could not be started (a part of the app could not be loaded; if it stays so, reload the page). It did not run.'

// First: once the code is there, it stays.
test('[D81] a call whose code does not load fails with a sentence, and the next one tries again', async () => {
  const code = './call-part.ts'
  vi.doMock(code, () => Promise.reject(new TypeError('Failed to fetch')))
  onTestFinished(() => void vi.doUnmock(code))
  // Vitest mocks from the first import on: one beside it would get the code.
  await expect(import('./call-part.ts')).rejects.toThrow()
  const environment = createManualEnvironment()
  const ran: string[] = []
  const tools = pageTools(environment, { a: () => ran.push('a'), b: () => ran.push('b') })
  const model = scriptedModel([call('a'), call('b')], [call('b')], [say('Done.')])
  const beforeToolCall = vi.fn()
  const { agent, eventsOf } = watchedAgent({ model, tools, hooks: { beforeToolCall } }, environment)
  agent.subscribe(({ type }) => type === 'tools_end' && vi.doUnmock(code))

  expect(await agent.prompt('Go.')).toMatchObject({ reason: 'stop', text: 'Done.' })

  expect(resultsIn(model.requests[1])).toEqual([notStarted, notStarted])
  expect(eventsOf('tool_execution_end')).toMatchObject([
    { toolCallId: 'call_1', errorKind: 'crashed', mayHaveRun: false },
    { toolCallId: 'call_2', errorKind: 'crashed', mayHaveRun: false },
    { toolCallId: 'call_3', isError: false },
  ])
  expect(ran).toEqual(['b'])
  expect(beforeToolCall).toHaveBeenCalledOnce()
})

test('[D81] code of calls that does not come within 30 s counts as not loaded', async () => {
  const arrive = holdBack()
  const environment = createManualEnvironment()
  const ran: string[] = []
  const tools = pageTools(environment, { a: () => ran.push('a') })
  const model = scriptedModel([call('a')], [say('Done.')])
  const { agent } = watchedAgent({ model, tools }, environment)
  const done = agent.prompt('Go.')
  await quiet()
  expect(agent.getState().status).toBe('running_tools')

  environment.clock.advance(30_000)
  await done
  arrive()
  await quiet()

  expect(resultsIn(model.requests[1])).toEqual([notStarted])
  expect(ran).toEqual([])
})

test('[I20] a stop does not wait for the code of calls, and nothing runs when it comes', async () => {
  const arrive = holdBack()
  const environment = createManualEnvironment()
  const ran: string[] = []
  const tools = pageTools(environment, { a: () => ran.push('a') })
  const model = scriptedModel([call('a')])
  const { agent, eventsOf } = watchedAgent({ model, tools }, environment)
  const done = agent.prompt('Go.')
  await quiet()

  agent.abort()
  expect(await done).toMatchObject({ reason: 'aborted' })
  arrive()
  await quiet()

  expect(eventsOf('tool_execution_end')).toMatchObject([{ outcome: 'cancelled' }])
  expect(ran).toEqual([])
})

test('a call that is cancelled while its code loads is not checked, and the next one is', async () => {
  const arrive = holdBack()
  const environment = createManualEnvironment()
  const tools = pageTools(environment, { a: () => 'A.', b: () => 'B.' })
  const model = scriptedModel([call('a'), call('b')], [say('Done.')])
  const beforeToolCall = vi.fn()
  const { agent } = watchedAgent({ model, tools, hooks: { beforeToolCall } }, environment)
  const done = agent.prompt('Go.')
  await quiet()

  agent.cancelTool('call_1')
  arrive()
  await done

  expect(beforeToolCall.mock.calls).toMatchObject([[{ toolCallId: 'call_2' }, {}]])
  expect(resultsIn(model.requests[1])).toEqual([
    'Cancelled by the user before it started. It did not run.',
    'B.',
  ])
})

test('[W1] the worker of a call starts as soon as its code is loaded, while the answer streams', async () => {
  const arrive = holdBack()
  const { agent, host, eventsOf } = calling()
  const done = agent.prompt('Go.')
  await quiet()
  expect(host.started).toEqual([])

  arrive()
  await quiet()

  expect(host.started).toHaveLength(1)
  expect(eventsOf('tool_execution_start')).toEqual([])
  agent.abort()
  await done
  expect(host.alive()).toBe(0)
})

test.for(['abort', 'dispose'] as const)(
  '[I25] %s while the code of a call loads: no worker starts for it',
  async (end) => {
    const arrive = holdBack()
    const { agent, host } = calling()
    const done = agent.prompt('Go.')
    await quiet()

    agent[end]()
    await done
    arrive()
    await quiet()

    expect(host.started).toEqual([])
  },
)

test.for([
  ['onUserPromptSubmit', { reason: 'rejected', messages: [] }],
  ['transformContext', { reason: 'error', error: { kind: 'internal', retryable: false } }],
] as const)('[H2] %s lets nothing through if its code is lost', async ([name, result]) => {
  vi.spyOn(callPart, 'load').mockRejectedValue(new TypeError('Failed to fetch'))
  onTestFinished(() => void vi.restoreAllMocks())
  const hook = vi.fn()
  const model = scriptedModel([say('Never.')])
  const { agent } = watchedAgent({ model, hooks: { [name]: hook } })

  expect(await agent.prompt('Go.')).toMatchObject(result)

  expect([hook.mock.calls, model.requests]).toEqual([[], []])
})

test('an answer that hooks have to see is withheld if their code is lost', async () => {
  const pick = defineTool({
    name: 'pick',
    description: 'Has the user pick a date.',
    place: 'client',
    inputSchema: z.object({}),
  })
  const shared = { storage: memoryStorage(), sessionId: 'session_1', tools: inClient([pick]) }
  const before = watchedAgent({
    ...shared,
    model: scriptedModel([call('pick')]),
    hooks: { afterToolCall: () => new Promise(() => {}) },
  })
  await before.agent.prompt('Book it.')
  await before.agent.addToolResult('call_1', 'Monday')
  before.agent.dispose()
  await before.agent.stored()
  vi.spyOn(callPart, 'now').mockReturnValue(null)
  vi.spyOn(callPart, 'load').mockRejectedValue(new TypeError('Failed to fetch'))
  onTestFinished(() => void vi.restoreAllMocks())

  const model = scriptedModel([say('Booked.')])
  const hooks = { afterToolCall: () => undefined }
  const { agent, eventsOf } = watchedAgent({ ...shared, model, hooks }, before.environment)
  // The answer continues the run by itself.
  await expect.poll(() => agent.getState().lastReason).toBe('stop')

  expect(resultsIn(model.requests[0])).toEqual(['Result withheld: a hook failed.'])
  expect(eventsOf('warning')).toMatchObject([{ code: 'hook_failed' }])
})

/** An agent in fake workers whose model writes a call, and goes on writing. */
function calling() {
  const environment = createManualEnvironment()
  const host = fakeWorkers([workerTool('a')], { clock: environment.clock })
  const options: AgentOptions = { model: scriptedModel([call('a'), hold()]), tools: host }
  return { host, ...watchedAgent(options, environment) }
}

/** Holds the code of calls back, until the function that it returns is called. */
function holdBack(): () => void {
  const gate = createDeferred<void>()
  const { load } = callPart
  const asking = vi.spyOn(callPart, 'load').mockImplementation(() => gate.promise.then(load))
  const looking = vi.spyOn(callPart, 'now').mockReturnValue(null)
  const restore = (): void => {
    asking.mockRestore()
    looking.mockRestore()
    gate.resolve()
  }
  onTestFinished(restore)
  return restore
}
