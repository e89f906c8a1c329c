import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  connect as connectSocket,
  jwtAuthenticator,
  type NatsConnection,
} from '@nats-io/transport-node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createNatsCredentials } from '../examples/proxy/src/nats-credentials.mjs'
import { readNatsSeeds } from '../examples/proxy/src/nats-seeds.mjs'
import { createProxy } from '../examples/proxy/src/proxy.mjs'
import { createAgent } from '../packages/core/src/index.ts'
import { log } from '../packages/core/src/storage/storage.contract.ts'
import { hold, type ScriptedModel, say, scriptedModel } from '../packages/core/src/testing.ts'
import { nats } from '../packages/nats/src/index.ts'
import { at } from './connect.fixtures.ts'
import { startNats } from './start-nats.mjs'

test('[K4] with credentials of the proxy a user has the own sessions on all devices, and none of another user', async () => {
  const service = await startService()
  const onAda = async (model: ScriptedModel) => agentOn(await service.signIn('ada'), model)
  const desk = await onAda(scriptedModel([say('A secret.')], [hold()]))
  await desk.prompt('Say a secret.')
  const phone = await onAda(scriptedModel([say('Of the phone.')]))
  await phone.ready
  expect(phone.getState()).toMatchObject({ access: 'follower', messages: { length: 2 } })

  // The same names, guessed by another user: the storage, the session, the subjects.
  const bob = await service.signIn('bob')
  const overheard: string[] = []
  bob.subscribe('>', { callback: (_, message) => void overheard.push(message.string()) })
  const stranger = agentOn(bob, scriptedModel([say('Of the stranger.')]))
  await stranger.ready
  expect(stranger.getState()).toMatchObject({ access: 'owner', messages: [] })
  const storage = nats({ connect: async () => bob })
  const seen: unknown[] = []
  onTestFinished(storage.follow('shared', 0, (events) => seen.push(...events)))
  const line = storage.connect('shared', (message) => seen.push(message))
  onTestFinished(line.close)

  const asked = desk.prompt('Go on.')
  await expect.poll(() => phone.getState().status).toBe('submitted')
  line.post({ say: 'wish', id: 'w', seq: 1_000, wish: { command: 'abort' } })
  line.post({ say: 'release' })
  bob.publish('offthread.line.shared', JSON.stringify({ kind: 'claimed', epoch: 1_000 }))
  await stranger.takeOver()
  await stranger.prompt('Is this mine?')
  const forged = storage.append('shared', at(8, 3), log(9).slice(8))
  await expect(forged).rejects.toMatchObject({ name: 'StorageError' })
  // A stream of one account cannot be made of the messages of another.
  const copy = { name: 'copy', sources: [{ name: 'offthread' }, { name: 'KV_offthread' }] }
  await bob.request('$JS.API.STREAM.CREATE.copy', JSON.stringify(copy))
  const streams = await bob.request('$JS.API.STREAM.NAMES', '')
  const names: { readonly streams: readonly string[] } = JSON.parse(streams.string())
  expect(names.streams.toSorted()).toEqual(['KV_offthread', 'copy', 'offthread'])
  await storage.delete('shared')

  expect(desk.getState()).toMatchObject({ access: 'owner', isActive: true })
  await phone.takeOver()
  expect(await asked).toMatchObject({ reason: 'interrupted' })
  await phone.prompt('And you?')
  await expect.poll(() => desk.getState().messages).toEqual(phone.getState().messages)
  expect(JSON.stringify(phone.getState())).not.toContain('stranger')
  expect(JSON.stringify([seen, overheard])).toContain('Of the stranger.')
  expect(JSON.stringify([seen, overheard])).not.toMatch(/secret|phone|And you/u)
})

test('[K12] credentials are good for a short time, are renewed in between, and then end the connection', async () => {
  const service = await startService({ seconds: 6 })
  const connection = await service.signIn('ada')
  const cuts: string[] = []
  void follow(connection, cuts)
  const storage = nats({ connect: async () => connection })

  let head = 0
  while (cuts.length < 2) {
    await service.renew()
    await storage.append('s', at(head), log(head + 1).slice(head))
    head += 1
  }
  expect(await storage.read('s')).toEqual(log(head))

  service.dismiss('ada')
  await connection.closed()
  await expect(storage.append('s', at(head), log(head + 1).slice(head))).rejects.toMatchObject({
    kind: 'unavailable',
  })
  expect((await service.ask('ada')).status).toBe(401)
})

test('[K12] two tabs of one user that renew their credentials at the same time keep their connections and their roles', async () => {
  const service = await startService({ seconds: 6 })
  const [one, other] = await Promise.all([service.signIn('ada'), service.signIn('ada')])
  const cuts: string[][] = [[], []]
  for (const [index, tab] of [one, other].entries()) void follow(tab, cuts[index] ?? [])
  const answers = Array.from({ length: 500 }, (_, index) => [say(`Answer ${index}.`)])
  const owner = agentOn(one, scriptedModel(...answers))
  await owner.ready
  const follower = agentOn(other, scriptedModel())
  await follower.ready
  const roles = new Set<string>()
  const note = () => roles.add(`${owner.getState().access} ${follower.getState().access}`)
  for (const { store } of [owner, follower]) onTestFinished(store.subscribe(note))

  let asked = 0
  while (cuts.some(({ length }) => length < 2)) {
    const renewed = service.renew()
    expect(await owner.prompt('In the one.')).toMatchObject({ reason: 'stop' })
    expect(await follower.prompt('In the other.')).toMatchObject({ reason: 'stop' })
    asked += 2
    expect(await renewed).toBe(2)
  }

  await expect.poll(() => follower.getState().messages).toHaveLength(2 * asked)
  expect(owner.getState().messages).toEqual(follower.getState().messages)
  expect([...roles]).toEqual(['owner follower'])
  expect([one, other].map((tab) => tab.isClosed())).toEqual([false, false])
})

test('[K12] a page that slept without a network until its credentials had ended comes back with new ones', async () => {
  const service = await startService({ seconds: 6 })
  const connection = await service.signIn('ada')
  const cuts: string[] = []
  void follow(connection, cuts)
  const storage = nats({ connect: async () => connection })
  await storage.append('s', at(0), log(1))

  service.setReachable(false)
  await vi.waitFor(() => expect(service.unreached()).toBeGreaterThan(1), { timeout: 20_000 })
  service.setReachable(true)

  await storage.append('s', at(1), log(2).slice(1))
  expect(await storage.read('s')).toEqual(log(2))
  expect(cuts).not.toEqual([])
})

test('[K12] no credentials are made without a token, for another page, or for a user without an account', async () => {
  const service = await startService()

  expect((await service.ask('ada')).status).toBe(200)
  expect((await service.ask('eve')).status).toBe(401)
  expect((await service.ask('carl')).status).toBe(403)
  expect((await service.ask('ada', { origin: 'https://evil.example' })).status).toBe(403)
  expect((await service.ask('ada', {}, 'GET')).status).toBe(405)
})

const page = 'https://app.example'

/** A server with the accounts of `ada` and `bob`, and the proxy that signs them in. It also signs in `carl`, who has no account. */
async function startService({ seconds = 900 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'offthread-accounts-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const made = spawnSync(process.execPath, [
    ...['examples/proxy/src/make-nats-accounts.mjs', folder, 'ada', 'bob'],
  ])
  expect(made.status).toBe(0)
  const server = await startNats({ config: readFileSync(join(folder, 'accounts.conf'), 'utf8') })
  onTestFinished(server.stop)
  const users = new Set(['ada', 'bob', 'carl'])
  const proxy = createProxy({
    // A session of your login, in an app.
    authenticate: ({ headers }) => {
      const [, user = ''] = /^Bearer token-of-(\w+)$/.exec(headers.authorization ?? '') ?? []
      return users.has(user) && user
    },
    origins: [page],
    limits: {
      ...{ models: [], maxTokens: 1, maxBodyBytes: 1, maxBodyMs: 60_000, maxSilenceMs: 60_000 },
    },
    upstreams: {},
    natsCredentials: createNatsCredentials({
      accounts: readNatsSeeds(join(folder, 'accounts.json')),
      seconds,
    }),
    log: () => {},
  })
  const address = await listen(proxy)

  const ask = (user: string, headers: Record<string, string> = {}, method = 'POST') =>
    fetch(`${address}/nats/credentials`, {
      method,
      headers: { origin: page, authorization: `Bearer token-of-${user}`, ...headers },
    })
  /** What docs/nats.md lets pages do every five minutes. */
  const renewals = new Set<() => Promise<void>>()
  let [isReachable, unreached] = [true, 0]
  const fetchAs = (user: string) => async (path: string) => {
    expect(path).toBe('/nats/credentials')
    if (isReachable) return ask(user)
    unreached += 1
    throw new TypeError('Failed to fetch')
  }
  return {
    ask,
    dismiss: (user: string) => users.delete(user),
    setReachable: (whether: boolean) => {
      isReachable = whether
    },
    unreached: () => unreached,
    renew: async () => (await Promise.all([...renewals].map((renew) => renew()))).length,
    signIn: async (user: string): Promise<NatsConnection> => {
      const connect = await connectOfTheGuide({
        jwtAuthenticator,
        fetch: fetchAs(user),
        // Closed while it connects, the WebSocket of Node 20 may never say that it is closed.
        wsconnect: (options) => connectSocket({ ...options, servers: server.url }),
        setInterval: (renew) => renewals.add(renew),
      })
      const connection = await connect()
      onTestFinished(() => connection.close())
      return connection
    },
  }
}

/** What the code in docs/nats.md uses of a page. */
interface GuidePorts {
  readonly jwtAuthenticator: typeof jwtAuthenticator
  readonly wsconnect: typeof connectSocket
  readonly fetch: (path: string) => Promise<Response>
  readonly setInterval: (renew: () => Promise<void>) => unknown
}

/** The function that docs/nats.md shows, as it is there. */
async function connectOfTheGuide(ports: GuidePorts): Promise<() => Promise<NatsConnection>> {
  const guide = readFileSync('docs/nats.md', 'utf8')
  const [code = ''] = /^async function connect\(\) \{$.*?^\}$/msu.exec(guide) ?? []
  const names = Object.keys(ports).join(', ')
  const text = `export const make = ({ ${names} }) => { ${code}; return connect }`
  const module: { make: (ports: GuidePorts) => () => Promise<NatsConnection> } = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`
  )
  return module.make(ports)
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

function agentOn(connection: NatsConnection, model: ScriptedModel) {
  const storage = nats({ connect: async () => connection })
  const agent = createAgent({ model, storage, sessionId: 'shared' })
  onTestFinished(async () => {
    agent.dispose()
    await agent.stored()
  })
  return agent
}

async function follow(connection: NatsConnection, cuts: string[]): Promise<void> {
  for await (const { type } of connection.status()) if (type === 'disconnect') cuts.push(type)
}
