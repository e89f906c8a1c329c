import { expect, test } from 'vitest'
import { call, say, scriptedModel } from '../model/scripted.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { memoryStorage } from '../storage/memory.ts'
import { fakeClock } from './fake-clock.ts'
import { fakeWorkers } from './fake-workers.ts'
import { testAgent } from './test-agent.ts'

test('after a reload no id is given again, and the interrupted call does not run again', async () => {
  const storage = memoryStorage()
  const load = () => {
    const clock = fakeClock()
    const workers = fakeWorkers([workerTool('a')], { clock })
    const model = scriptedModel([call('a')], [say('Done.')])
    const options = { model, tools: workers, storage, sessionId: 'session' }
    return { workers, ...testAgent(options, { clock }) }
  }
  const before = load()
  await before.agent.ready
  void before.agent.prompt('Go.').catch(() => {})
  await before.settled()
  expect(before.workers.worker('a').request()).not.toBeNull()
  before.agent.dispose()

  const after = load()
  await after.agent.ready
  await after.settled()
  expect(after.workers.started).toHaveLength(0)
  const done = after.agent.prompt('And now?')
  await after.settled()
  await after.workers.worker('a').returns(null)
  await done

  expect(after.workers.started).toHaveLength(1)
  const log = await storage.load('session')
  const boots = log.flatMap((event) => (event.type === 'session_opened' ? [event.bootId] : []))
  const runs = log.flatMap((event) => (event.type === 'agent_start' ? [event.runId] : []))
  const messages = after.agent.getTranscript().map(({ id }) => id)
  const calls = log.flatMap((event) =>
    event.type === 'tool_execution_start' ? [event.toolCallId] : [],
  )
  for (const ids of [boots, runs, messages, calls]) {
    expect(ids.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(ids.length)
  }
})
