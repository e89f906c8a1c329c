import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AgentEvent } from '../kernel/events.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { memoryStorage } from '../storage/memory.ts'
import type { SessionStorage } from '../storage/port.ts'
import { fakeClock } from './fake-clock.ts'
import { fakeWorkers } from './fake-workers.ts'
import { call, type ScriptedAnswer, say, scriptedModel } from './scripted.ts'
import { testAgent } from './test-agent.ts'

function load(storage: SessionStorage) {
  const clock = fakeClock()
  const workers = fakeWorkers([workerTool('a')], { clock })
  const model = scriptedModel([say('I look.'), call('a')], [say('Done.')])
  const options = { model, tools: workers, storage, sessionId: 'session' }
  return { workers, ...testAgent(options, { clock }) }
}

test('after a reload no id is given again, and the interrupted call does not run again', async () => {
  const storage = memoryStorage()
  const before = load(storage)
  void before.agent.prompt('Go.').catch(() => {})
  await before.settled()
  expect(before.workers.worker('a').request()).not.toBeNull()
  before.agent.dispose()

  const after = load(storage)
  await after.settled()
  expect(after.workers.started).toHaveLength(0)
  const done = after.agent.prompt('And now?')
  await after.settled()
  await after.workers.worker('a').returns(null)
  await done

  expect(after.workers.started).toHaveLength(1)
  expect(repeatedIn(await storage.read('session'))).toEqual([])
  expect(after.agent.getTranscript()).toHaveLength(7)
})

test('however often and wherever a page is reloaded, no id is given again and no call is run again', async () => {
  const anyReloads = fc.array(fc.nat(14), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(anyReloads, fc.boolean(), async (reloads, waits) => {
      const storage = memoryStorage()
      for (const lastEvent of reloads) {
        const { agent, events, settled, workers } = load(storage)
        if (waits) await settled()
        agent.subscribe(() => {
          if (events.length > lastEvent) agent.dispose()
        })
        void agent.prompt('Go.').catch(() => {})
        await settled()
        if (workers.started[0]?.request()) await workers.worker('a').returns(null)
        await settled()
        agent.dispose()
      }

      expect(repeatedIn(await storage.read('session'))).toEqual([])
    }),
    { numRuns: 100 },
  )
})

test('no id is given again after a reload that starts from a snapshot', async () => {
  const storage = memoryStorage()
  const play = async (prompts: number, ...answers: readonly ScriptedAnswer[]) => {
    const clock = fakeClock()
    const model = scriptedModel([call('unknown')], ...answers)
    const made = testAgent({ model, storage, sessionId: 'session' }, { clock })
    for (let asked = 0; asked < prompts; asked += 1) await made.agent.prompt('Go.')
    return made
  }

  const before = await play(180, ...Array.from({ length: 180 }, () => [say('Well.')]))
  await vi.waitFor(
    async () => {
      before.clock.advance(1000)
      expect(await storage.readBytes('session', 'offthread:state')).toBeDefined()
    },
    { timeout: 20_000 },
  )
  before.agent.dispose()
  const after = await play(1, [say('Done.')])
  after.agent.dispose()

  expect(repeatedIn(await storage.read('session'))).toEqual([])
})

test('[D78] agents on one session are as tabs: each prompt of each is done once, and no id is given again', async () => {
  const storage = memoryStorage()
  const clock = fakeClock()
  const open = async () => {
    const model = scriptedModel([say('One.')], [say('Two.')], [say('Three.')])
    const made = testAgent({ model, storage, sessionId: 'session' }, { clock })
    await made.agent.ready
    return made
  }
  const owner = await open()
  const [second, third] = [await open(), await open()]
  const ask = ({ agent, passTime }: typeof owner, text: string) => passTime(agent.prompt(text))

  expect(await ask(second, 'First?')).toMatchObject({ text: 'One.' })
  expect(await ask(third, 'Second?')).toMatchObject({ text: 'Two.' })
  owner.agent.dispose()
  expect(await ask(third, 'Third?')).toMatchObject({ reason: 'stop' })

  expect(second.agent.getState().messages).toHaveLength(6)
  expect(repeatedIn(await storage.read('session'))).toEqual([])
})

test('without a sessionId each agent has a session of its own, as outside of tests', async () => {
  const storage = memoryStorage()
  const [first, second] = ['One.', 'Two.'].map((text) => {
    const { agent, events } = testAgent({ storage, model: scriptedModel([say(text)]) })
    onTestFinished(() => agent.dispose())
    return { agent, events }
  })

  expect(await first?.agent.prompt('Go.')).toMatchObject({ text: 'One.' })
  expect(await second?.agent.prompt('Go.')).toMatchObject({ text: 'Two.' })

  const sessions = [first, second].map((one) => one?.events.at(-1)?.sessionId)
  expect(sessions).toEqual(['session_1', 'session_2'])
  const [sessionId = ''] = sessions
  first?.agent.dispose()
  const again = testAgent({ storage, sessionId, model: scriptedModel([say('Three.')]) })
  onTestFinished(() => again.agent.dispose())
  await again.agent.prompt('Go on.')
  const runs = again.agent.getTranscript().map(({ id }) => id)
  expect(new Set(runs).size).toBe(4)
})

test('a storage may be an object of a class', async () => {
  const kept = memoryStorage()
  const storage = Object.create(kept)
  const { agent } = testAgent({ model: scriptedModel([say('Hi.')]), storage, sessionId: 'session' })

  expect(await agent.prompt('Hello.')).toMatchObject({ reason: 'stop' })
  expect(await kept.read('session')).not.toEqual([])
})

test('a clock never goes back, and no timer of it waits for ever', () => {
  const clock = fakeClock()
  const times: number[] = []
  clock.advance(100)
  for (const ms of [-50, Number.NaN]) clock.setTimer(ms, () => times.push(clock.now()))

  clock.advance(10)

  expect([times, clock.now(), clock.pending()]).toEqual([[100, 100], 110, 0])
  expect(() => clock.advance(-1)).toThrow('A clock goes on by 0 ms or more, not by -1.')
})

test('an environment that hides globals of a page is refused with a sentence', () => {
  vi.stubGlobal('structuredClone', undefined)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })

  expect(() => testAgent({ model: scriptedModel() })).toThrow(
    'This test environment has no structuredClone. Add it, as docs/testing.md shows for the jsdom of Jest.',
  )
})

/** Ids that were given twice, and calls that were handed to their code twice. */
function repeatedIn(log: readonly AgentEvent[]): readonly string[] {
  const given = log.flatMap((event) => {
    switch (event.type) {
      case 'session_opened':
        return [event.bootId]
      case 'agent_start':
        return [String(event.runId)]
      case 'message_start':
        return [event.message.id]
      case 'tool_execution_start':
        return [event.toolCallId]
      case 'tool_dispatched':
        return [`${event.toolCallId} dispatched`, event.executionId]
      default:
        return []
    }
  })
  expect(given.length).toBeGreaterThan(0)
  return given.filter((id, index) => given.indexOf(id) !== index)
}
