import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createAgent, defineTool, inPage } from '../packages/core/src/index.ts'
import { indexedDb } from '../packages/core/src/indexeddb.ts'
import { createDeferred } from '../packages/core/src/internal/deferred.ts'
import { jsonSchema } from '../packages/core/src/json-schema.ts'
import { describeUnderFaults } from '../packages/core/src/storage/faults.contract.ts'
import { installFakeIndexedDb } from '../packages/core/src/storage/indexeddb/fake-indexed-db.fixtures.ts'
import type { SessionStorage } from '../packages/core/src/storage/port.ts'
import { describeRedaction } from '../packages/core/src/storage/redaction.contract.ts'
import { describeStorage } from '../packages/core/src/storage/storage.contract.ts'
import { call, type ScriptedModel, say, scriptedModel } from '../packages/core/src/testing.ts'
import { implement } from '../packages/core/src/worker.ts'
import { alsoOffline } from '../packages/nats/src/offline.ts'
import { storageAt } from './connect.fixtures.ts'
import { startCuttingProxy } from './cutting-proxy.mjs'
import { type NatsServer, startNats } from './start-nats.mjs'

installFakeIndexedDb()

let server: NatsServer
let names = 0

beforeAll(async () => {
  server = await startNats()
})
afterAll(() => server.stop())

const newName = () => {
  names += 1
  return `offline${names}`
}

/** The storage of a device that reaches the server by this address. */
function onDevice(url: string, name: string, database = `${name} here`): SessionStorage {
  return alsoOffline(storageAt(url, {}, { name }), indexedDb({ name: database }))
}

describeStorage('alsoOffline of nats and indexedDb', () => onDevice(server.url, newName()))
describeUnderFaults('alsoOffline of nats and indexedDb', () => onDevice(server.url, newName()))
describeRedaction('alsoOffline of nats and indexedDb', () => onDevice(server.url, newName()))

const patience = { timeout: 30_000 }

test('[K17] [K18] [K15] an agent goes on while its server is killed for 15 s, and the server has all of it when it is back', async () => {
  const own = await startNats()
  onTestFinished(own.stop)
  const name = newName()
  const storage = onDevice(own.url, name)
  const { agent, tool } = agentOn(
    storage,
    scriptedModel([say('Before.')], [call('work')], [say('After.')]),
  )
  await agent.prompt('Hello.')
  const done = agent.prompt('Work.')
  await tool.started.promise
  await own.kill()
  const killedAt = performance.now()

  tool.end.resolve()
  expect(await done).toMatchObject({ reason: 'stop', text: 'After.' })

  expect(agent.getState()).toMatchObject({ storage: 'offline', access: 'owner', error: null })
  await vi.waitFor(() => expect(performance.now() - killedAt).toBeGreaterThan(15_000), patience)
  const written = await storage.read('shared')
  await own.start()
  await vi.waitFor(() => expect(agent.getState().storage).toBe('persistent'), patience)
  const elsewhere = storageAt(own.url, {}, { name })
  expect(await elsewhere.read('shared')).toEqual(written)
  const { agent: phone } = agentOn(elsewhere, scriptedModel())
  await phone.ready
  expect(phone.getState()).toMatchObject({
    access: 'follower',
    messages: agent.getState().messages,
  })
  await leave(phone, agent)
})

test('[K17] [K18] a page that is opened before its server is there owns its copy, and is asked by others when it is', async () => {
  const own = await startNats()
  onTestFinished(own.stop)
  const name = newName()
  const { agent: first } = agentOn(onDevice(own.url, name), scriptedModel([say('Before.')]))
  await first.prompt('Hello.')
  await leave(first)
  const written = await storageAt(own.url, {}, { name }).read('shared')
  const copy = indexedDb({ name: `${name} here` })
  await vi.waitFor(async () => expect(await copy.read('shared')).toEqual(written), patience)
  await own.kill()

  const { agent } = agentOn(
    onDevice(own.url, name),
    scriptedModel([say('Without.')], [say('Asked from elsewhere.')]),
  )
  expect(await agent.prompt('Go on.')).toMatchObject({ text: 'Without.' })
  expect(agent.getState()).toMatchObject({ storage: 'offline', access: 'owner' })
  await own.start()
  await vi.waitFor(() => expect(agent.getState().storage).toBe('persistent'), patience)
  const { agent: phone } = agentOn(storageAt(own.url, {}, { name }), scriptedModel())
  await phone.ready

  expect(await phone.prompt('And now?')).toMatchObject({ text: 'Asked from elsewhere.' })
  await leave(phone, agent)
})

test('[K19] [K16] what an agent did while another device took its session is a session of its own, which it names', async () => {
  const proxy = await startCuttingProxy(server.url)
  onTestFinished(proxy.close)
  const name = newName()
  const { agent: desk, tool } = agentOn(
    onDevice(proxy.url, name),
    scriptedModel([call('work')], [say('Done on the desk.')]),
  )
  const done = desk.prompt('Work.')
  await tool.started.promise
  proxy.setOpen(false)
  const { agent: phone } = agentOn(
    onDevice(server.url, name, `${name} there`),
    scriptedModel([say('From the phone.')]),
  )
  await phone.ready
  await vi.waitFor(() => expect(phone.getState().access).toBe('owner'), patience)
  await phone.prompt('And you?')

  tool.end.resolve()
  expect(await done).toMatchObject({ text: 'Done on the desk.' })
  proxy.setOpen(true)

  await vi.waitFor(() => expect(desk.getState().refused).not.toBeNull(), patience)
  const { refused } = desk.getState()
  expect(refused).toMatchObject({ command: 'catch_up', keptAs: expect.stringMatching(/^shared-/u) })
  await vi.waitFor(() => expect(desk.getState().access).toBe('follower'), patience)
  expect(desk.getState().messages).toEqual(phone.getState().messages)
  const kept = storageAt(server.url, {}, { name })
  await vi.waitFor(async () => expect(await kept.list(refused?.keptAs)).toHaveLength(1), patience)
  const { agent: fork } = agentOn(kept, scriptedModel(), refused?.keptAs)
  await fork.ready
  expect(fork.getState().messages.at(-1)).toMatchObject({
    content: [{ text: 'Done on the desk.' }],
  })
  await leave(desk, phone, fork)
})

/** An agent with a tool that runs until the test says so. */
function agentOn(storage: SessionStorage, model: ScriptedModel, sessionId = 'shared') {
  const tool = { started: createDeferred<void>(), end: createDeferred<void>() }
  const work = defineTool({
    name: 'work',
    description: 'Works.',
    place: 'page',
    inputSchema: jsonSchema({ type: 'object' }),
  })
  const tools = inPage([
    implement(work, async () => {
      tool.started.resolve()
      await tool.end.promise
      return 'worked'
    }),
  ])
  const agent = createAgent({ model, tools, storage, sessionId })
  onTestFinished(agent.dispose)
  return { agent, tool }
}

/** Before the connections close. */
async function leave(...agents: readonly ReturnType<typeof createAgent>[]): Promise<void> {
  for (const { dispose, stored } of agents) {
    dispose()
    await stored()
  }
}
