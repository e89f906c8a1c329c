import { describe, expect, test } from 'vitest'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { createPuppetStorage } from '../runtime/puppet-storage.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { breakOff, call, fail, hold, say, scriptedModel } from '../testing/scripted.ts'
import { pageTools, passTime, watchedAgent } from './agent.fixtures.ts'

describe('an active run', () => {
  test('is shown from its start to its end, also while it waits for a person', async () => {
    const environment = createManualEnvironment()
    const tools = pageTools(environment, { a: () => 'from a' })
    const hooks = { beforeToolCall: () => ({ requireApproval: true }) }
    const model = scriptedModel([call('a')], [hold()])
    const { agent } = watchedAgent({ model, tools, hooks }, environment)
    expect(agent.getState()).toMatchObject({ isActive: false, startedAt: null })

    environment.clock.advance(40)
    const done = agent.prompt('Go.')
    await quiet()

    expect(agent.getState()).toMatchObject({
      status: 'awaiting_approval',
      isActive: true,
      startedAt: 40,
    })
    agent.abort()
    await done
    await quiet()
    expect(agent.getState()).toMatchObject({ status: 'ready', isActive: false, startedAt: null })
  })

  test('is over when it failed, and when the storage did', async () => {
    const failed = watchedAgent({ model: scriptedModel([fail('auth')]), retry: null }).agent
    await failed.prompt('Go.')
    await quiet()
    expect(failed.getState()).toMatchObject({ status: 'error', isActive: false })

    const storage = createPuppetStorage((_, number) => (number > 1 ? 'lost' : 'stored'))
    const stuck = watchedAgent({ model: scriptedModel([say('Hi.')]), storage }).agent
    await stuck.ready
    await stuck.prompt('Go.')
    await quiet()
    expect(stuck.getState()).toMatchObject({
      status: 'error',
      isActive: false,
      startedAt: null,
      retry: null,
    })
  })
})

test('a failed request shows which attempt follows and when, until it is answered', async () => {
  const environment = createManualEnvironment()
  const model = scriptedModel([fail('overloaded')], [hold()])
  const { agent } = watchedAgent({ model }, environment)
  environment.clock.advance(100)
  const done = agent.prompt('Go.')
  await quiet()

  const { retry } = agent.getState()
  expect(retry).toEqual({ attempt: 2, maxAttempts: 4, at: 600 })
  environment.clock.advance(500)
  await quiet()
  expect(agent.getState().retry).toBe(retry)
  agent.abort()
  await done
  await quiet()
  expect(agent.getState().retry).toBeNull()
})

test('the next attempt is no news once the request is answered', async () => {
  const environment = createManualEnvironment()
  const model = scriptedModel([say('Hel'), breakOff()], [say('Hello.')])
  const { agent } = watchedAgent({ model }, environment)

  await passTime(environment, agent.prompt('Go.'), 50)
  await quiet()

  expect(agent.getState().retry).toBeNull()
})

describe('how runs ended', () => {
  test('is found by the last message that people read, and stays the same object', async () => {
    const environment = createManualEnvironment()
    const tools = pageTools(environment, { a: () => 'from a' })
    const model = scriptedModel([call('a')], [say('Half'), hold()])
    const { agent } = watchedAgent({ model, tools, maxTurns: 1 }, environment)
    await agent.prompt('One.')
    await quiet()
    // The run ended after the result of the call, which is no message of the list.
    const caller = lastMessageOf(agent)
    expect(agent.getState().runs.get(caller)).toMatchObject({ reason: 'max_turns', turns: 1 })

    const { runs } = agent.getState()
    const first = runs.get(caller)
    const done = agent.prompt('Two.')
    await quiet()
    environment.frame()
    expect(agent.getState().runs).toBe(runs)
    environment.clock.advance(250)
    agent.abort()
    await done
    await quiet()

    expect(agent.getState().runs).not.toBe(runs)
    expect(agent.getState().runs.get(caller)).toBe(first)
    expect(agent.getState().runs.get(lastMessageOf(agent))).toMatchObject({
      reason: 'aborted',
      turns: 1,
    })
  })

  test('is known again after a reload, with its time and its error', async () => {
    const storage = createPuppetStorage()
    const sessionId = 'session_1'
    const environment = createManualEnvironment()
    const model = scriptedModel([fail('auth', 'No key.')])
    const before = watchedAgent({ model, storage, sessionId }, environment).agent
    await before.ready
    await before.prompt('Go.')
    await before.stored()
    const messageId = lastMessageOf(before)
    before.dispose()

    const reloaded = { ...createManualEnvironment(), newId: environment.newId }
    const after = watchedAgent({ model: scriptedModel(), storage, sessionId }, reloaded).agent
    await after.ready
    await quiet()

    expect(after.getState().runs.get(messageId)).toMatchObject({
      reason: 'error',
      durationMs: 0,
      error: { kind: 'auth', message: 'No key.' },
    })
  })
})

test('a call has the label of its tool while its arguments stream', async () => {
  const environment = createManualEnvironment()
  const host = fakeWorkers([workerTool('a')], { clock: environment.clock })
  const model = {
    identity: { provider: 'test', id: 'test' },
    stream: async function* () {
      yield { type: 'toolcall_start', contentIndex: 0, toolName: 'a' } as const
      yield { type: 'toolcall_start', contentIndex: 1, toolName: 'nothing' } as const
      await new Promise(() => {})
    },
  }
  const { agent } = watchedAgent({ model, tools: host }, environment)
  const done = agent.prompt('Go.')
  await quiet()
  environment.frame()

  expect(agent.getState().toolCalls.active).toMatchObject([
    { status: 'input_streaming', toolName: 'a', label: 'Label of a' },
    { status: 'input_streaming', toolName: 'nothing', label: 'nothing' },
  ])
  agent.abort()
  await done
})

function lastMessageOf({ getState }: ReturnType<typeof watchedAgent>['agent']): string {
  return getState().messages.at(-1)?.id ?? 'none'
}
