import { expect, jest, test } from '@jest/globals'
import { defineTool, memoryStorage, toolResult } from '@offthread/core'
import {
  call,
  fakeClock,
  fakeWorkers,
  say,
  scriptedModel,
  testAgent,
} from '@offthread/core/testing'
import { z } from 'zod'

const countPrimes = defineTool({
  name: 'count_primes',
  description: 'Counts the primes below n.',
  inputSchema: z.object({ n: z.number() }),
  outputSchema: z.object({ count: z.number() }),
})

/**
 * @param {import('@offthread/core').SessionStorage} [storage]
 * @param {import('@offthread/core').AgentHooks} [hooks]
 */
function load(storage = memoryStorage(), hooks = {}) {
  const clock = fakeClock()
  const workers = fakeWorkers([countPrimes], { clock })
  const model = scriptedModel([call('count_primes', { n: 10 })], [say('There are 4.')])
  const options = { model, tools: workers, storage, hooks, sessionId: 'session' }
  return { workers, ...testAgent(options, { clock }) }
}

test('answers from what the tool found', async () => {
  const { agent, settled, workers } = load()

  const done = agent.prompt('How many primes are below 10?')
  await settled()
  await workers.worker('count_primes').returns({ count: 4 })

  expect(await done).toMatchObject({ reason: 'stop', text: 'There are 4.' })
})

test("time of Jest's own does not have to pass", async () => {
  jest.useFakeTimers()
  try {
    const { agent, settled, workers } = load()
    const done = agent.prompt('How many primes are below 10?')
    await settled()
    await workers.worker('count_primes').returns({ count: 4 })

    expect(await done).toMatchObject({ text: 'There are 4.' })
  } finally {
    jest.useRealTimers()
  }
})

test('stops a tool that takes too long, and no time passes', async () => {
  const { agent, eventsOf, passTime } = load()

  await passTime(agent.prompt('How many primes are below 10?'), 1000)

  expect(eventsOf('tool_execution_end')).toMatchObject([{ outcome: 'timed_out' }])
})

test('after a reload the interrupted call does not run again', async () => {
  const storage = memoryStorage()
  const before = load(storage)
  void before.agent.prompt('Go.').catch(() => {})
  await before.settled()
  expect(before.workers.started).toHaveLength(1)
  before.agent.dispose()

  const after = load(storage)
  await after.settled()

  expect(after.workers.started).toHaveLength(0)
  expect(after.agent.getTranscript().at(-1)).toMatchObject({ role: 'toolResult', isError: true })
})

test('a hook may return the arguments that it was given', async () => {
  const { agent, eventsOf, settled, workers } = load(undefined, {
    beforeToolCall: ({ args }) => ({ args }),
  })

  const done = agent.prompt('How many primes are below 10?')
  await settled()
  await workers.worker('count_primes').returns({ count: 4 })
  await done

  expect(eventsOf('warning')).toEqual([])
  expect(eventsOf('tool_execution_end')).toMatchObject([{ outcome: 'succeeded' }])
})

test('a file that a tool returns is a Blob', async () => {
  const { agent, eventsOf, settled, workers } = load()
  const done = agent.prompt('How many primes are below 10?')
  await settled()
  const artifacts = [{ name: 'primes.txt', data: '2 3 5 7' }]
  await workers.worker('count_primes').returns(toolResult({ output: { count: 4 }, artifacts }))
  await done

  const [end] = eventsOf('tool_execution_end')
  const blob = await agent.getArtifact(end?.result.artifacts?.[0]?.artifactId ?? '')

  expect(blob).toBeInstanceOf(Blob)
  expect(blob?.size).toBe(7)
})
