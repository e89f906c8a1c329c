import { expect, test } from 'vitest'
import { z } from 'zod'
import { createManualEnvironment } from '../runtime/environment.fixtures.ts'
import { createPuppetStorage } from '../runtime/puppet-storage.fixtures.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { call, say, scriptedModel } from '../testing/scripted.ts'
import { testAgent } from '../testing/test-agent.ts'
import { defineTool } from '../tools/definition.ts'
import { createLoopWorker } from '../tools/fixtures/fake-worker.fixtures.ts'
import { inPage } from '../tools/page/page-host.ts'
import { createWorkerHost } from '../tools/page/worker-host.ts'
import { implement } from '../tools/worker/implement.ts'
import { watchedAgent } from './agent.fixtures.ts'
import { agentTool } from './agent-tool.ts'

const options = { description: 'Looks.', inputSchema: z.object({}) }
const near = defineTool({ ...options, name: 'near', place: 'page' })
const far = defineTool({ ...options, name: 'far' })

test("the application's context reaches the code of tools: itself on the page, a copy in a worker", async () => {
  const { agent, seen, context } = await looking()

  expect(seen.near).toBe(context)
  expect(seen.far).toEqual(context)
  expect(seen.far).not.toBe(context)
  agent.dispose()
})

test('it is in no event, in no storage, in no state and in no request', async () => {
  const { agent, events, model, storage } = await looking()

  for (const received of [events, model.requests, agent.getState().messages, await storage.log()]) {
    expect(JSON.stringify(received)).toContain('Look.')
    expect(JSON.stringify(received)).not.toContain('tenant-7')
  }
  agent.dispose()
})

test('it reaches the tools of a sub-agent', async () => {
  const { seen, context, host } = looker()
  const inner = agentTool({
    ...options,
    name: 'ask',
    prompt: () => 'Look.',
    agent: { tools: host, model: scriptedModel([call('near')], [say('Seen.')]) },
  })
  const model = scriptedModel([call('ask')], [say('Done.')])
  const { agent } = watchedAgent({ model, tools: inner, context })

  await agent.prompt('Go.')

  expect(seen.near).toBe(context)
})

test('a fake worker gets a copy as well, and no call whose context cannot be copied', async () => {
  const copied = await lookingInFakeWorker({ tenant: 'tenant-7' })
  expect(copied.given()).toEqual({ tenant: 'tenant-7' })
  expect(copied.given()).not.toBe(copied.context)
  await copied.worker().returns(null)
  expect(await copied.outcome()).toBe('succeeded')

  const refused = await lookingInFakeWorker({ tenant: () => 'tenant-7' })
  expect(refused.worker().request()).toBeNull()
  expect(await refused.outcome()).toBe('failed')
})

async function lookingInFakeWorker(context: object) {
  const clock = fakeClock()
  const workers = fakeWorkers([far], { clock })
  const model = scriptedModel([call('far')], [say('Done.')])
  const { agent, settled, eventsOf } = testAgent({ model, tools: workers, context }, { clock })
  const done = agent.prompt('Look.')
  await settled()
  const worker = () => workers.worker('far')
  const outcome = async () => {
    await done
    return eventsOf('tool_execution_end')[0]?.outcome
  }
  return { context, worker, given: () => worker().request()?.context, outcome }
}

function looker() {
  const context = { tenant: 'tenant-7' }
  const seen: { near?: unknown; far?: unknown } = {}
  const host = inPage([
    implement(near, (_input, { context: given }) => {
      seen.near = given
    }),
  ])
  return { context, seen, host }
}

async function looking() {
  const { context, seen, host } = looker()
  const environment = createManualEnvironment()
  const code = implement(far, (_input, { context: given }) => {
    seen.far = given
  })
  const workers = createWorkerHost([far], () => createLoopWorker([code]), {
    clock: environment.clock,
  })
  const model = scriptedModel([call('near'), call('far')], [say('Seen.')])
  const storage = createPuppetStorage()
  const sessionId = 'session_1'
  const given = { model, tools: [host, workers], context, storage, sessionId }
  const watched = watchedAgent(given, environment)
  await watched.agent.prompt('Look.')
  await watched.agent.stored()
  return { ...watched, context, seen, model, storage }
}
