import { expect, onTestFinished, test, vi } from 'vitest'
import { createAgent, inPage } from '../packages/core/src/index.ts'
import type { DurableEvent } from '../packages/core/src/kernel/events.ts'
import { appendOnce } from '../packages/core/src/runtime/append-once.ts'
import type { SessionStorage } from '../packages/core/src/storage/port.ts'
import { log } from '../packages/core/src/storage/storage.contract.ts'
import { call, type ScriptedModel, say, scriptedModel } from '../packages/core/src/testing.ts'
import { behave, behaveAt } from '../packages/core/src/tools/fixtures/behave.fixtures.ts'
import { implement } from '../packages/core/src/worker.ts'
import { at, storageAt } from './connect.fixtures.ts'
import { startCuttingProxy } from './cutting-proxy.mjs'
import { startNats } from './start-nats.mjs'

/** Events of each append. */
const sizes = [1, 3, 2, 1, 1, 4, 2, 1]

test.for(['before', 'after'] as const)(
  '[K3] a connection that is cut at any append, %s the server has it, costs no event and doubles none',
  async (when) => {
    const server = await startNats()
    onTestFinished(server.stop)
    const proxy = await startCuttingProxy(server.url)
    onTestFinished(proxy.close)
    const storage = storageAt(proxy.url)
    const elsewhere = storageAt(server.url)

    for (const [cutAt] of sizes.entries()) {
      const sessionId = `cut at ${cutAt}`
      const claim = await storage.claim(sessionId, 'if-free')
      const { epoch = 0 } = claim ?? {}
      const seen: DurableEvent[] = []
      onTestFinished(storage.follow(sessionId, 0, (events) => seen.push(...events)))
      let head = 0
      for (const [index, size] of sizes.entries()) {
        if (index === cutAt) proxy.cutNext(when)
        await storage.append(sessionId, at(head, epoch), log(head + size).slice(head))
        head += size
      }

      expect(await elsewhere.read(sessionId)).toEqual(log(head))
      await vi.waitFor(() => expect(seen).toEqual(log(head)), { timeout: 20_000 })
      expect(claim?.lost.aborted).toBe(false)
    }

    expect(proxy.cuts()).toBe(sizes.length)
  },
)

test.for(['before', 'after'] as const)(
  '[K3] a run whose connection is cut at any of its messages, %s the server has it, ends as one without a cut',
  async (when) => {
    const server = await startNats()
    onTestFinished(server.stop)
    const proxy = await startCuttingProxy(server.url)
    onTestFinished(proxy.close)
    const whole = await playRun(storageAt(proxy.url), 'without a cut')

    for (let cutAt = 0; ; cutAt += 1) {
      const cuts = proxy.cuts()
      proxy.cutNext(when, cutAt)
      const sessionId = `cut at ${cutAt}`
      const messages = await playRun(storageAt(proxy.url), sessionId)
      // It has fewer messages than that.
      if (proxy.cuts() === cuts) break

      expect(messages).toEqual(whole)
      const stored = await storageAt(server.url).read(sessionId)
      expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, seq) => seq))
      const later = agentOn(storageAt(server.url), sessionId, scriptedModel())
      await later.ready
      expect(contentOf(later)).toEqual(whole)
    }
    expect(proxy.cuts()).toBeGreaterThan(3)
  },
)

test('[K3] a server that is killed 20 times in the middle of appends loses nothing that it acknowledged', async () => {
  const server = await startNats()
  onTestFinished(server.stop)
  const storage = storageAt(server.url)
  const writer = write(storage)
  const seen: DurableEvent[] = []
  onTestFinished(storageAt(server.url).follow('s', 0, (events) => seen.push(...events)))

  for (let kills = 0; kills < 20; kills += 1) {
    const acknowledged = writer.head()
    await vi.waitFor(() => expect(writer.head()).toBeGreaterThan(acknowledged + 5), {
      ...{ timeout: 20_000, interval: 5 },
    })
    // An append is under way: the next one begins when the one before has ended.
    await server.kill()
    await server.start()
  }
  await writer.stop()

  const stored = await storageAt(server.url).read('s')
  expect(stored).toEqual(log(stored.length))
  expect(stored).toHaveLength(writer.head())
  expect(stored.length).toBeGreaterThan(100)
  await vi.waitFor(() => expect(seen).toHaveLength(stored.length), { timeout: 20_000 })
  expect(seen).toEqual(stored)
})

/** What an agent says that asks for a call and answers with its result. */
async function playRun(storage: SessionStorage, sessionId: string) {
  const model = scriptedModel([call('behave', { how: 'report' })], [say('It is done.')])
  const agent = agentOn(storage, sessionId, model)
  const calls: string[] = []
  agent.subscribe((event) => {
    if (event.type === 'tool_execution_start') calls.push(event.toolCallId)
  })
  expect(await agent.prompt('Report.')).toMatchObject({ reason: 'stop', text: 'It is done.' })
  expect(calls.map((id) => agent.getState().toolCalls.get(id)?.status)).toEqual(['succeeded'])
  agent.dispose()
  await agent.stored()
  return contentOf(agent)
}

const tools = inPage([implement(behaveAt('page'), behave)])

function agentOn(storage: SessionStorage, sessionId: string, model: ScriptedModel) {
  const agent = createAgent({ model, tools, storage, sessionId })
  onTestFinished(agent.dispose)
  return agent
}

/** What was said, but for the names of calls, which each run makes. */
function contentOf({ getState }: Pick<ReturnType<typeof agentOn>, 'getState'>): string {
  const said = getState().messages.map(({ role, content }) => ({ role, content }))
  return JSON.stringify(said).replaceAll(/call_\w+/gu, 'call')
}

/** Appends to session `s`, one event after the other, until it is stopped. */
function write(storage: SessionStorage) {
  let head = 0
  let isStopped = false
  async function run(): Promise<void> {
    while (!isStopped) {
      const position = at(head)
      await appendOnce({ storage, sessionId: 's', position }, log(head + 1).slice(head))
      head += 1
    }
  }
  const running = run()
  // Reported when it is stopped.
  running.catch(() => {})
  return {
    head: () => head,
    stop: () => {
      isStopped = true
      return running
    },
  }
}
