import { expect, test } from 'vitest'
import { pageTools, watchedAgent } from '../agent/agent.fixtures.ts'
import type { AgentOptions } from '../agent/options.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { call, hold, type ScriptedAnswer, say, scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { createManualEnvironment, quiet } from './environment.fixtures.ts'
import { workerTool } from './worker-tool.fixtures.ts'

test('[I33] a call gets the worker that was started for it, once', async () => {
  const { host, eventsOf, done } = answering([call('a')])
  await quiet()

  expect(host.started).toHaveLength(1)
  host.worker('a').answer('done')
  await done
  expect(eventsOf('tool_dispatched')).toHaveLength(1)
  expect(host.started).toHaveLength(1)
  expect(host.alive()).toBe(0)
})

test('[I25] [W1] no more workers start than may run, and none for tools of another place', async () => {
  const { host, stop } = answering([call('a'), call('b'), call('c'), call('page'), hold()], {
    maxConcurrency: 2,
  })
  await quiet()

  expect(host.started.map(({ toolName }) => toolName)).toEqual(['a', 'b'])
  await stop()
})

test.each([
  ['sequential', ['a']],
  [{ type: 'batched', size: 2 }, ['a', 'b']],
  ['parallel', ['a', 'b', 'c']],
] as const)(
  '[W1] %j: workers start for the calls that may run first, while the answer streams',
  async (toolExecution, expected) => {
    const { host, stop } = answering([call('a'), call('b'), call('c'), hold()], { toolExecution })
    await quiet()

    expect(host.started.map(({ toolName }) => toolName)).toEqual(expected)
    await stop()
  },
)

test('[I25] an answer that breaks off ends the workers that were started for it, and no code of it ran', async () => {
  const { host, agent, done, environment } = answering([call('a'), call('b'), hold()])
  await quiet()
  expect(host.alive()).toBe(2)

  agent.abort()
  await done

  expect(host.alive()).toBe(0)
  expect(host.started.map((worker) => worker.request())).toEqual([null, null])
  expect(environment.clock.pending()).toBe(0)
})

test('[P8] code that is not trusted starts neither when it is named nor before its call is approved', async () => {
  const { host, agent, eventsOf, done } = answering([call('stranger')])
  await quiet()
  const [asked] = eventsOf('tool_approval_requested')
  expect(host.started).toEqual([])

  agent.respondToApproval(asked?.toolCallId ?? '', {
    decision: 'approve',
    argsDigest: asked?.argsDigest ?? '',
  })
  await quiet()

  host.worker('stranger').answer('done')
  await done
  expect(host.started).toHaveLength(1)
})

test('[W3] a call that waits for a person gives its slot to one that can run', async () => {
  const { host, agent, eventsOf } = answering([call('asks'), call('a')], { maxConcurrency: 1 })
  await quiet()

  expect(host.started.map(({ toolName }) => toolName)).toEqual(['asks', 'a'])
  expect(host.worker('asks').isClosed()).toBe(true)
  host.worker('a').answer('done')
  await quiet()
  const [asked] = eventsOf('tool_approval_requested')
  agent.respondToApproval(asked?.toolCallId ?? '', {
    decision: 'approve',
    argsDigest: asked?.argsDigest ?? '',
  })
  await quiet()

  host.worker('asks', 1).answer('allowed')
  await quiet()
  expect(eventsOf('tool_execution_end').map(({ outcome }) => outcome)).toEqual([
    'succeeded',
    'succeeded',
  ])
})

test('[I33] a worker that breaks while its call waits for a person did not run it', async () => {
  const { host, agent, eventsOf } = answering([call('asks')])
  await quiet()
  const [asked] = eventsOf('tool_approval_requested')

  host.worker('asks').crash('broken')
  agent.respondToApproval(asked?.toolCallId ?? '', {
    decision: 'approve',
    argsDigest: asked?.argsDigest ?? '',
  })
  await quiet()

  expect(eventsOf('tool_dispatched')).toEqual([])
  expect(eventsOf('tool_execution_end')).toMatchObject([
    {
      mayHaveRun: false,
      result: { content: [{ text: 'The tool could not be started (broken). It did not run.' }] },
    },
  ])
})

test('[W3] a call that waits for more than 30 s waits without a worker', async () => {
  const { host, environment, stop } = answering([call('asks')])
  await quiet()
  expect(host.alive()).toBe(1)

  environment.clock.advance(30_000)

  expect(host.alive()).toBe(0)
  await stop()
})

test('[I25] [W2] a denied call has its worker ended, unused', async () => {
  const { host, agent, done, eventsOf } = answering([call('asks')])
  await quiet()
  const [asked] = eventsOf('tool_approval_requested')

  agent.respondToApproval(asked?.toolCallId ?? '', {
    decision: 'deny',
    argsDigest: asked?.argsDigest ?? '',
  })
  await done

  expect(host.alive()).toBe(0)
  expect(host.worker('asks').request()).toBeNull()
})

test('[I25] dispose ends the workers that were started early', async () => {
  const { host, agent, environment } = answering([call('a'), hold()])
  await quiet()

  agent.dispose()

  expect(host.alive()).toBe(0)
  expect(environment.clock.pending()).toBe(0)
})

test('manual mode starts nothing before continue()', async () => {
  const { host } = answering([call('a')], { toolMode: 'manual' })
  await quiet()

  expect(host.started).toEqual([])
})

type Answer = ScriptedAnswer

function answering(answer: Answer, options: Partial<AgentOptions> = {}) {
  const environment = createManualEnvironment()
  const { description, inputSchema } = workerTool('asks')
  const asking = { description, inputSchema, needsApproval: true } as const
  const asks = defineTool({ name: 'asks', ...asking })
  const stranger = defineTool({ name: 'stranger', ...asking, place: 'isolated' })
  const tools = [asks, stranger, workerTool('a'), workerTool('b'), workerTool('c')]
  const host = fakeWorkers(tools, environment)
  const page = pageTools(environment, { page: () => 'here' })
  const model = scriptedModel(answer, [say('Done.')])
  const watched = watchedAgent({ model, tools: [host, page], ...options }, environment)
  const done = watched.agent.prompt('Go.')
  const stop = async () => {
    watched.agent.abort()
    await done
  }
  return { ...watched, environment, host, done, stop }
}
