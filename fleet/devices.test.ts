import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createAgent } from '../packages/core/src/index.ts'
import type { Json } from '../packages/core/src/internal/json.ts'
import type { Claim, ClaimMode, SessionStorage } from '../packages/core/src/storage/port.ts'
import { log } from '../packages/core/src/storage/storage.contract.ts'
import { hold, type ScriptedModel, say, scriptedModel } from '../packages/core/src/testing.ts'
import { type NatsConnection, nats } from '../packages/nats/src/index.ts'
import { at, storageAt } from './connect.fixtures.ts'
import { type NatsServer, startNats } from './start-nats.mjs'

let server: NatsServer
let names = 0

beforeAll(async () => {
  server = await startNats()
})
afterAll(() => server.stop())

/** Storages of the same sessions, each with a connection of its own. */
function devices() {
  names += 1
  const name = `devices${names}`
  return { open: () => storageAt(server.url, {}, { name }), name }
}

test('[K1] of appends by two devices to one head one is stored whole, the others not at all', async () => {
  const { open } = devices()
  const both = [open(), open()]
  let head = 0
  for (let round = 0; round < 30; round += 1) {
    const batches = [1, 2].map((size) => log(head + size).slice(head))

    const appends = await Promise.allSettled(
      both.map((storage, index) => storage.append('s', at(head), batches[index] ?? [])),
    )

    expect(appends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const winner = appends.findIndex(({ status }) => status === 'fulfilled')
    expect(appends[1 - winner]).toMatchObject({ reason: { kind: 'conflict' } })
    head += winner + 1
    expect(await both[1 - winner]?.read('s')).toEqual(log(head))
  }
})

test('[K2] an owner that another device has replaced stores nothing, also in its last moment', async () => {
  const { open } = devices()
  const [one, other] = [open(), open()]
  const before = await claim(one, 'if-free')
  await one.append('s', at(0, before.epoch), log(2))
  expect(await other.claim('s', 'if-free')).toBeNull()

  const after = await claim(other, 'take')

  // What it has read of the session was true until now.
  const late = one.append('s', at(2, before.epoch), log(3).slice(2))
  await expect(late).rejects.toMatchObject({ kind: 'not_owner' })
  await expect.poll(() => before.lost.aborted).toBe(true)
  const last = { ...at(2, before.epoch), isLast: true }
  await expect(one.append('s', last, log(3).slice(2))).rejects.toThrow()
  await expect(before.keepBytes('file', new Blob(['late']))).rejects.toMatchObject({
    kind: 'not_owner',
  })
  await other.append('s', at(2, after.epoch), log(3).slice(2))
  expect(await one.read('s')).toEqual(log(3))
})

test('[K2] of many devices that take a session at the same time one owns it', async () => {
  const { open } = devices()
  const all = [open(), open(), open(), open()]
  await all[0]?.append('s', at(0), log(1))

  const claims = await Promise.all(all.map((storage) => storage.claim('s', 'take')))

  for (const made of claims) if (made) onTestFinished(made.release)
  const appends = await Promise.allSettled(
    all.map((storage, index) =>
      storage.append('s', at(1, claims[index]?.epoch ?? 0), log(2).slice(1)),
    ),
  )
  expect(appends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const epochs = claims.flatMap((made) => made?.epoch ?? [])
  expect(new Set(epochs).size).toBe(epochs.length)
  const owner = appends.findIndex(({ status }) => status === 'fulfilled')
  expect(claims[owner]?.epoch).toBe(Math.max(...epochs))
})

test('[K2] the session of a page that is gone is free at once, and goes to the one that waits', async () => {
  const { open, name } = devices()
  const dying = await connect({ servers: server.url })
  const gone = nats({ connect: async () => dying, name })
  const { epoch } = await claim(gone, 'if-free', 'reloaded')
  await gone.append('reloaded', at(0, epoch), log(1))
  await claim(gone, 'if-free', 'watched')
  const waiting = claim(open(), 'wait', 'watched')

  await dying.close()

  const next = await claim(open(), 'if-free', 'reloaded')
  expect(next.epoch).toBeGreaterThan(epoch)
  expect(next.unconfirmed).toBe(1)
  expect((await waiting).lost.aborted).toBe(false)
})

test('[K10] what one device says, deletes and redacts reaches the others', async () => {
  const { open, name } = devices()
  const [one, other] = [open(), open()]
  const owner = await claim(one, 'if-free')
  const secret = { ...log(3)[1], message: 'a secret' } as never
  await one.append('s', at(0, owner.epoch), [...log(1), secret, ...log(3).slice(2)])
  const received: Json[] = []
  const line = other.connect('s', (message) => received.push(message))
  onTestFinished(line.close)
  await other.list()

  one.connect('s', () => {}).post({ say: 'hello' })
  await expect.poll(() => received).toEqual([{ say: 'hello' }])

  const redaction = { replaced: log(3).slice(1, 2), added: log(4).slice(3), removedKeys: [] }
  await one.redact?.('s', at(3, owner.epoch), { ...redaction, topic: '' })
  expect(await other.read('s')).toEqual(log(4))
  expect((await storedTexts(name)).join()).not.toContain('a secret')

  await other.delete('s')
  await expect.poll((): unknown => owner.lost.reason).toMatchObject({ kind: 'cleared' })
  expect(line.ended.reason).toMatchObject({ kind: 'cleared' })
  const late = one.append('s', at(4, owner.epoch), log(5).slice(4))
  await expect(late).rejects.toMatchObject({ kind: 'cleared' })
  expect(await other.list()).toEqual([])
  expect(await storedTexts(name)).toEqual([])
})

test.for(['redacted', 'deleted'])(
  '[K10] a log that is %s while another device reads it is read again',
  async (how) => {
    const { open, name } = devices()
    const owner = open()
    await owner.append('s', at(0), log(2))
    await owner.append('s', at(2), log(3).slice(2))
    const closing = await connect({ servers: server.url })
    onTestFinished(() => closing.close())
    const connection: NatsConnection = closing
    const reader = nats({ connect: async () => changing, name })
    let change: (() => Promise<void>) | undefined
    // Where the log ends is known by then, and none of its messages has come.
    const changing: NatsConnection = Object.create(connection, {
      request: {
        value: async (...args: Parameters<NatsConnection['request']>) => {
          const due = args[0].startsWith('$JS.API.CONSUMER.CREATE') ? change : undefined
          if (due) change = undefined
          await due?.()
          return connection.request(...args)
        },
      },
    })
    const redaction = { replaced: log(1), added: log(4).slice(3), removedKeys: [], topic: '' }
    change = async () =>
      how === 'deleted' ? owner.delete('s') : owner.redact?.('s', at(3), redaction)

    expect(await reader.read('s', 0, 3)).toEqual(how === 'deleted' ? [] : log(3))
    expect(change).toBeUndefined()
  },
)

test('[K10] what a device says may be larger than a message of the server', async () => {
  const { open } = devices()
  const [one, other] = [open(), open()]
  const received: Json[] = []
  const [line, listening] = [
    one.connect('s', () => {}),
    other.connect('s', (message) => received.push(message)),
  ]
  for (const { close } of [line, listening]) onTestFinished(close)
  await Promise.all([one.list(), other.list()])
  // The server takes 1 MB.
  const said = [{ first: 'Ä"'.repeat(1_500_000) }, { next: 'short' }]

  for (const message of said) line.post(message)

  await vi.waitFor(() => expect(received).toHaveLength(2), { timeout: 20_000 })
  expect(received).toEqual(said)
})

test('[K11] an agent works on one device, is watched and asked on another, and is taken over', async () => {
  const { open } = devices()
  const desk = agentOn(open(), scriptedModel([say('From the desk.')], [hold()]))
  await desk.prompt('Hello.')
  const phone = agentOn(open(), scriptedModel([say('From the phone.')]))
  await phone.ready

  expect(phone.getState().access).toBe('follower')
  expect(phone.getState().messages).toEqual(desk.getState().messages)
  const asked = phone.prompt('Go on.')
  await expect.poll(() => desk.getState().status).toBe('submitted')
  phone.abort()
  expect(await asked).toMatchObject({ reason: 'aborted' })

  await phone.takeOver()
  await expect.poll(() => desk.getState().access).toBe('follower')
  expect(await phone.prompt('And you?')).toMatchObject({ text: 'From the phone.' })
  await expect.poll(() => desk.getState().messages).toEqual(phone.getState().messages)
  // Before their connections close.
  for (const { dispose, stored } of [desk, phone]) {
    dispose()
    await stored()
  }
})

test('[K13] [D100] a notice that a session was deleted ends nothing for those who have it, unless it was', async () => {
  const { open, name } = devices()
  const desk = agentOn(open(), scriptedModel([say('One.')], [say('Two.')]))
  await desk.prompt('Hello.')
  const phone = agentOn(open(), scriptedModel())
  await phone.ready
  const foreign = await connect({ servers: server.url })
  onTestFinished(() => foreign.close())

  for (const seq of [0, 1, 1e9]) {
    foreign.publish(`${name}.line.shared`, JSON.stringify({ kind: 'deleted', seq }))
  }
  await foreign.flush()
  expect(await desk.prompt('Go on.')).toMatchObject({ text: 'Two.' })
  await vi.waitFor(() => expect(phone.getState().messages).toHaveLength(4), { timeout: 20_000 })
  expect([desk, phone].map((agent) => agent.getState().access)).toEqual(['owner', 'follower'])

  const storage = open()
  await storage.delete('shared')
  const storages = () => [desk, phone].map((agent) => agent.getState().storage)
  await vi.waitFor(() => expect(storages()).toEqual(['cleared', 'cleared']), { timeout: 20_000 })
})

function agentOn(storage: SessionStorage, model: ScriptedModel) {
  const agent = createAgent({ model, storage, sessionId: 'shared' })
  onTestFinished(agent.dispose)
  return agent
}

async function claim(storage: SessionStorage, mode: ClaimMode, id = 's'): Promise<Claim> {
  const made = await storage.claim(id, mode)
  if (!made) throw new Error('The session has an owner.')
  onTestFinished(made.release)
  return made
}

/** The content of all messages that the stream of the logs has. */
async function storedTexts(name: string): Promise<readonly string[]> {
  const connection = await connect({ servers: server.url })
  const ask = async (method: string, body: object) => {
    const { data } = await connection.request(`$JS.API.STREAM.${method}`, JSON.stringify(body))
    const answer: {
      state: { first_seq: number; last_seq: number }
      message?: { data?: string }
    } = JSON.parse(new TextDecoder().decode(data))
    return answer
  }
  const { state } = await ask(`INFO.${name}`, {})
  const texts: string[] = []
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const { message } = await ask(`MSG.GET.${name}`, { seq })
    if (message) texts.push(atob(message.data ?? ''))
  }
  await connection.close()
  return texts
}
