import { expect, test } from 'vitest'
import { z } from 'zod'
import { pageTools, watchedAgent } from '../agent/agent.fixtures.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { createPuppetStorage } from '../runtime/puppet-storage.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { call, hold, rawCall, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { inPage } from '../tools/page/page-host.ts'
import { implement } from '../tools/worker/implement.ts'

test('messages that did not change keep their identity, and results are no messages', async () => {
  const environment = createManualEnvironment()
  const model = scriptedModel([say('Well.'), call('work')], [say('Done.')], [say('And'), hold()])
  const tools = pageTools(environment, { work: () => 'worked' })
  const { agent } = watchedAgent({ model, tools }, environment)
  await agent.prompt('One.')
  await quiet()
  const { messages: before, toolCalls } = agent.getState()

  const done = agent.prompt('Two.')
  await quiet()
  environment.frame()

  const after = agent.getState().messages
  expect(agent.getState().toolCalls).toBe(toolCalls)
  expect(after.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'assistant',
    'user',
    'assistant',
  ])
  expect(before).toHaveLength(3)
  for (const [index, message] of before.entries()) expect(after[index]).toBe(message)
  agent.abort()
  await done
})

test('cards that did not change keep their identity, from the batch into the history', async () => {
  const environment = createManualEnvironment()
  const host = fakeWorkers([workerTool('a'), workerTool('b')], { clock: environment.clock })
  const model = scriptedModel([call('a'), call('b')], [say('Done.')], [say('More.')])
  const { agent } = watchedAgent({ model, tools: host }, environment)
  const card = (id: string) => agent.getState().toolCalls.get(id)
  const done = agent.prompt('Go.')
  await quiet()
  host.worker('a').answer('A.')
  await quiet()
  const ended = card('call_1')
  const waiting = card('call_2')
  expect(agent.getState().toolCalls.active.map(({ toolCallId }) => toolCallId)).toEqual(['call_2'])

  host.worker('b').begin()
  environment.frame()
  expect(card('call_1')).toBe(ended)
  expect(card('call_2')).not.toBe(waiting)
  host.worker('b').answer('B.')
  await done
  await quiet()
  await agent.prompt('More.')
  await quiet()

  expect(card('call_1')).toBe(ended)
  expect(ended).toMatchObject({ status: 'succeeded', hasEnded: true, label: 'Label of a' })
  expect(agent.getState().toolCalls.active).toEqual([])
})

test('a card shows when things happened, each as soon as it has happened', async () => {
  const environment = createManualEnvironment()
  const { clock } = environment
  const host = fakeWorkers([workerTool('a')], { clock, readyAtOnce: false })
  const model = scriptedModel([call('a', { n: 1 })], [say('Done.')])
  const { agent } = watchedAgent({ model, tools: host }, environment)
  const card = () => agent.getState().toolCalls.get('call_1')
  clock.advance(10)
  const done = agent.prompt('Go.')
  await quiet()
  expect(card()).toMatchObject({ status: 'queued', args: { n: 1 }, times: { acceptedAt: 10 } })

  clock.advance(10)
  host.worker('a').becomeReady()
  await quiet()
  expect(card()).toMatchObject({ status: 'starting', times: { acceptedAt: 10, dispatchedAt: 20 } })
  clock.advance(10)
  host.worker('a').begin()
  environment.frame()
  expect(card()).toMatchObject({ status: 'running', times: { runningAt: 30 } })
  clock.advance(10)
  host.worker('a').answer('A.')
  await done
  await quiet()

  expect(card()).toMatchObject({
    status: 'succeeded',
    times: { acceptedAt: 10, dispatchedAt: 20, runningAt: 30, endedAt: 40 },
    timing: { queuedMs: 0, startMs: 20, runMs: 10 },
  })
})

test('a card says whether its arguments fit the tool, and has the output of a call that succeeded', async () => {
  const answer = { hasValidArgs: true, args: { n: 1 }, output: { twice: 2 } }
  const model = scriptedModel(
    [
      call('double', { n: 1 }),
      call('double', { n: 'one' }),
      rawCall('double', '{"n":'),
      call('no'),
    ],
    [say('Done.')],
  )
  const storage = createPuppetStorage()
  const before = watchedAgent({ model, tools: doubling, storage, sessionId })
  await before.agent.prompt('Go.')
  await quiet()

  const card = (id: string) => before.agent.getState().toolCalls.get(id)
  expect(card('call_1')).toMatchObject(answer)
  expect(card('call_2')).toMatchObject({ hasValidArgs: false, args: { n: 'one' } })
  expect(card('call_3')).toMatchObject({ hasValidArgs: false, args: '{"n":' })
  expect(card('call_4')).toMatchObject({ hasValidArgs: false, args: {} })
  expect(card('call_2')).not.toHaveProperty('output')
  await before.agent.stored()
  before.agent.dispose()

  // Without the tool the call has no types; with it the card has them again.
  const environment = { ...createManualEnvironment(), newId: before.environment.newId }
  const options = { model: scriptedModel([say('Hi.')]), storage, sessionId }
  const { agent } = watchedAgent(options, environment)
  await agent.ready
  await quiet()
  expect(agent.getState().toolCalls.get('call_1')).toMatchObject({
    ...{ status: 'succeeded', hasValidArgs: false, args: { n: 1 } },
    result: { structuredContent: { twice: 2 } },
  })
  expect(agent.getState().toolCalls.get('call_1')).not.toHaveProperty('output')
  agent.configure({ tools: doubling })
  expect(agent.getState().toolCalls.get('call_1')).toMatchObject(answer)
})

test('usage counts in the run, and stays after it', async () => {
  const { agent } = watchedAgent({ model: scriptedModel([say('One.')]) })

  await agent.prompt('Go.')
  await quiet()

  expect(agent.getState()).toMatchObject({
    usage: { inputTokens: 10, outputTokens: 5 },
    lastReason: 'stop',
  })
})

const sessionId = 'session_1'
const doubling = inPage([
  implement(
    defineTool({
      name: 'double',
      description: 'Doubles.',
      place: 'page',
      inputSchema: z.object({ n: z.number() }),
      outputSchema: z.object({ twice: z.number() }),
    }),
    ({ n }) => ({ twice: 2 * n }),
  ),
])
