import { connect, wsconnect } from '@nats-io/transport-node'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createAgent } from '../packages/core/src/index.ts'
import { createDeferred } from '../packages/core/src/internal/deferred.ts'
import type { DurableEvent } from '../packages/core/src/kernel/events.ts'
import { log } from '../packages/core/src/storage/storage.contract.ts'
import { say, scriptedModel } from '../packages/core/src/testing.ts'
import { nats } from '../packages/nats/src/index.ts'
import { at, storageAt } from './connect.fixtures.ts'
import { startCuttingProxy } from './cutting-proxy.mjs'
import { type NatsOptions, startNats } from './start-nats.mjs'

describe('a server that cannot keep sessions is named', () => {
  test('[K7] without JetStream', async () => {
    const storage = storageAt((await start({ jetStream: false })).url)

    await expect(storage.read('s')).rejects.toMatchObject({
      ...{ name: 'StorageError', kind: 'unavailable' },
      message: expect.stringContaining('Start it with "--jetstream"'),
    })
  })

  test('[K7] with JetStream off for the account', async () => {
    const config = `
accounts {
  without { users: [{ user: anna, password: secret }] }
  SYS { users: [{ user: admin, password: secret }] }
}
system_account: SYS`
    const { url } = await start({ config })

    const storage = storageAt(url, { user: 'anna', pass: 'secret' })

    await expect(storage.read('s')).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('"jetstream: enabled"'),
    })
  })

  test('[K7] too old', async () => {
    const { url } = await start()
    const proxy = await startCuttingProxy(url, (text) =>
      text.replace(/"version":"[^"]+"/u, '"version":"2.8.4"'),
    )
    onTestFinished(proxy.close)

    await expect(storageAt(proxy.url).read('s')).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/2\.8\.4, which is too old. Update it to 2\.9/u),
    })
  })

  test('[K7] that is not there, or is none', async () => {
    const { url, stop } = await start()
    await stop()

    await expect(storageAt(url).list()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/cannot be reached.*Check its address.*websocket/u),
    })
  })

  test('[K7] that refuses the credentials', async () => {
    const { url } = await start({ config: 'authorization { user: anna, password: secret }' })

    await expect(storageAt(url, { user: 'anna', pass: 'wrong' }).list()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('refused the credentials'),
    })
    expect(await storageAt(url, { user: 'anna', pass: 'secret' }).list()).toEqual([])
  })

  test('[K7] that refuses the credentials after a cut, because they have expired', async () => {
    const { url } = await start()
    let isExpired = false
    const proxy = await startCuttingProxy(url, (text) =>
      isExpired ? `${text}-ERR 'User Authentication Expired'\r\n` : text,
    )
    onTestFinished(proxy.close)
    const storage = storageAt(proxy.url)
    const claim = await storage.claim('s', 'if-free')
    const line = storage.connect('s', () => {})
    onTestFinished(line.close)

    isExpired = true
    proxy.cutNext('before')
    const append = storage.append('s', at(0, claim?.epoch), log(1))

    const refused = {
      kind: 'unavailable',
      message: expect.stringContaining('Sign in again'),
    }
    await expect(append).rejects.toMatchObject(refused)
    expect(claim?.lost.reason).toMatchObject(refused)
    expect(line.ended.reason).toMatchObject(refused)
    await expect(storage.list()).rejects.toMatchObject(refused)
  })

  test('[K7] without a WebSocket, which a page needs', async () => {
    const { webSocketUrl, url } = await start()
    const page = (servers: string) => nats({ connect: () => wsconnect({ servers }) })

    await expect(page(url.replace('nats:', 'ws:')).list()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/cannot be reached.*websocket \{ port/u),
    })
    await page(webSocketUrl).append('s', at(0), log(1))
    expect(await storageAt(url).read('s')).toEqual(log(1))
  })

  test('[K7] that forbids the user what a storage needs', async () => {
    const config = `authorization { users: [
      { user: anna, password: secret, permissions: { publish: "$JS.API.INFO", subscribe: ">" } }
    ] }`
    const { url } = await start({ config })

    await expect(storageAt(url, { user: 'anna', pass: 'secret' }).list()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/may not publish "\$JS\.API\.STREAM\.INFO\.\w+"/u),
    })
  })

  test('[K7] whose stream drops old messages by itself', async () => {
    const { url } = await start()
    await createStream(url, { max_msgs: 10, discard: 'old' })

    await expect(storageAt(url).append('s', at(0), log(1))).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('nats stream edit offthread --discard new'),
    })
  })
})

describe('what does not fit is refused whole', () => {
  test('[K6] a full stream refuses, and keeps what it has', async () => {
    const { url } = await start()
    await createStream(url, { max_bytes: 20_000, discard: 'new' })
    const storage = storageAt(url)
    let stored = 0
    const fill = async () => {
      for (; stored < 1000; stored += 1) {
        await storage.append('s', at(stored), log(stored + 1).slice(stored))
      }
    }

    await expect(fill()).rejects.toMatchObject({
      kind: 'full',
      message: expect.stringContaining('Delete old sessions, or raise the limits'),
    })

    expect(stored).toBeGreaterThan(10)
    expect(await storage.read('s')).toEqual(log(stored))
    await createStream(url, { max_bytes: 100_000, discard: 'new' }, 'UPDATE')
    await storage.append('s', at(stored), log(stored + 1).slice(stored))
    expect(await storage.read('s')).toHaveLength(stored + 1)
  })

  test('[K5] an event that is larger than a message of the stream is stored whole', async () => {
    const { url } = await start()
    await createStream(url, { max_msg_size: 8192, discard: 'new' })
    const storage = storageAt(url)

    await storage.append('s', at(0), [large(0, 9000), large(1, 3000), large(2, 3000)])

    expect(await storage.read('s')).toEqual([large(0, 9000), large(1, 3000), large(2, 3000)])
  })

  test('[K5] events that are together larger than a message are stored whole, and read from any place', async () => {
    const { url } = await start({ config: 'max_payload: 8192' })
    const [storage, follower] = [storageAt(url), storageAt(url)]
    const seen: (readonly DurableEvent[])[] = []
    onTestFinished(follower.follow('s', 0, (events) => seen.push(events)))
    const events = Array.from({ length: 10 }, (_, seq) => large(seq, 3000))

    await storage.append('s', at(0), events)
    await storage.append('s', at(10), [large(10, 10)])

    const all = [...events, large(10, 10)]
    expect(await storageAt(url).read('s')).toEqual(all)
    expect(await storageAt(url).read('s', 7)).toEqual(all.slice(7))
    await expect.poll(() => seen.flat()).toEqual(all)
    expect(seen).toHaveLength(2)
  })

  test('[K5] a part of a batch that was never completed does not count', async () => {
    const { url } = await start({ config: 'max_payload: 8192' })
    const proxy = await startCuttingProxy(url)
    onTestFinished(proxy.close)
    const dying = storageAt(proxy.url, { reconnect: false })
    await dying.append('s', at(0), log(2))
    const events = Array.from({ length: 6 }, (_, index) => large(index + 2, 3000))
    // Its first part is stored, and then the page is gone.
    proxy.cutNext('after')
    await expect(dying.append('s', at(2), events)).rejects.toMatchObject({ name: 'StorageError' })

    const storage = storageAt(url)
    expect(await storage.read('s')).toEqual(log(2))
    expect(await storage.list()).toMatchObject([{ events: 2 }])
    await storage.append('s', at(2), log(4).slice(2))
    expect(await storage.read('s')).toEqual(log(4))
    expect(await storage.read('s', 3)).toEqual(log(4).slice(3))
  })
})

test('[K8] a session of a newer version, and one that something else has written to, are named', async () => {
  const { url } = await start()
  const storage = storageAt(url)
  for (const id of ['newer', 'foreign']) await storage.append(id, at(0), log(1))
  const connection = await connect({ servers: url })
  onTestFinished(() => connection.close())
  const publish = async (id: string, header: string) => {
    const { headers } = await import('@nats-io/transport-node')
    const fields = headers()
    if (header !== '') fields.set('Offthread', header)
    await connection.request(`offthread.log.${id}`, '[]', { timeout: 5000, headers: fields })
  }
  await publish('newer', '{"v":3}')
  await publish('foreign', '')

  await expect(storage.read('newer')).rejects.toMatchObject({ kind: 'newer' })
  const append = storage.append('newer', at(1), log(2).slice(1))
  await expect(append).rejects.toMatchObject({ kind: 'newer' })
  await expect(storageAt(url).read('foreign')).rejects.toMatchObject({ kind: 'damaged' })
  expect((await storage.list()).map(({ sessionId }) => sessionId)).not.toContain('foreign')
})

describe('[K8] what something else has written to a session', () => {
  test.for<readonly [what: string, header: object]>([
    ['a head that the log does not have', { head: 1000 }],
    ['a head below zero', { head: -1 }],
    ['half a head', { head: 1.5 }],
    ['a number of an event below zero', { at: -5 }],
    ['a log that begins after its end', { base: 1_000_000 }],
    ['a time that no date can have', { created: 1e300 }],
    ['an epoch that no message has', { epoch: 1e300 }],
    ['a part whose rest never comes', { isPart: true, batch: 'b', head: 2 }],
  ])('is damage, and no silence of the server: %s', async ([, wrong]) => {
    const { url, storage, publish } = await written()
    const header = { v: 1, epoch: 0, head: 2, base: 0, created: 1, updated: 1, at: 1, ...wrong }
    await publish('offthread.log.s', JSON.stringify(log(2).slice(1)), header)

    await expect(storageAt(url).read('s')).rejects.toMatchObject({ kind: 'damaged' })
    // It hides no other one, and shows nothing that no list can show.
    for (const { events, createdAt } of await storage.list())
      expect([Number.isSafeInteger(events), new Date(createdAt).getTime()]).toEqual([
        true,
        createdAt,
      ])
    expect((await storage.list()).map(({ sessionId }) => sessionId)).toContain('other')
  })

  test.for([
    ['damaged', undefined],
    ['newer', { v: 9 }],
  ] as const)(
    'is %s also before other messages, and takes no other session with it',
    async ([kind, header]) => {
      const { url, publish } = await written()
      await publish('offthread.log.s', '[]', header)
      const wellFormed = { v: 1, epoch: 0, head: 2, base: 0, created: 1, updated: 1, at: 1 }
      await publish('offthread.log.s', JSON.stringify(log(2).slice(1)), wellFormed)
      const storage = storageAt(url)

      await expect(storage.read('s')).rejects.toMatchObject({ kind })

      expect(await storage.read('other')).toEqual(log(1))
    },
  )

  test('hides no session of a list, and none of its titles deceives', async () => {
    const { storage, publish } = await written()
    await publish('$KV.offthread.s', JSON.stringify({ v: 99 }))
    const files = { a: { size: 1e308 }, b: { size: 1e308 } }
    const title = 'a\u202e\u200b\n'.repeat(1000)
    const record = { v: 1, holder: 'a b\r\nPUB c', title, topic: title, files }
    await publish('$KV.offthread.other', JSON.stringify(record))

    const list = await storage.list()

    expect(list.map(({ sessionId }) => sessionId).toSorted()).toEqual(['other', 's'])
    const other = list.find(({ sessionId }) => sessionId === 'other')
    expect(other).toMatchObject({ isOpen: false, title: `${'a '.repeat(49)}a…` })
    expect(JSON.parse(JSON.stringify(other))).toEqual(other)
  })

  test.for([
    ['damaged', undefined],
    ['newer', { v: 9 }],
  ] as const)('[D51] is %s for an agent that follows, which says so', async ([kind, header]) => {
    const { url, publish } = await written()
    const open = () => {
      const model = scriptedModel([say('One.')])
      const agent = createAgent({ model, storage: storageAt(url), sessionId: 'followed' })
      onTestFinished(() => agent.dispose())
      return agent
    }
    const owner = open()
    await owner.prompt('Hi.')
    const follower = open()
    await follower.ready
    await expect.poll(() => follower.getState()).toMatchObject({ access: 'follower' })

    await publish('offthread.log.followed', '[]', header)

    const stopped = { access: 'read-only', storage: kind }
    await vi.waitFor(() => expect(follower.getState()).toMatchObject(stopped), { timeout: 10_000 })
    expect(follower.getState().messages).toHaveLength(2)
  })

  test('costs the same, however many parts it has', async () => {
    const { url, connection, fieldsOf } = await written()
    const header = { v: 1, epoch: 0, head: 1, base: 0, created: 1, updated: 1, at: 1 }
    const headers = fieldsOf({ ...header, isPart: true, batch: 'b' })
    for (let part = 0; part < 60_000; part += 1)
      connection.publish('offthread.log.s', '[1,1]', { headers })
    await connection.flush()
    const last = JSON.stringify({ last_by_subj: 'offthread.log.s' })
    const stored = () => connection.request('$JS.API.STREAM.MSG.GET.offthread', last)
    await vi.waitFor(async () => expect((await stored()).string()).toContain('"seq":60002'), {
      timeout: 30_000,
    })

    expect(await storageAt(url).read('s')).toEqual(log(1))
  })

  /** Two sessions with an event each, and a connection by which anything can be written. */
  async function written() {
    const { url } = await start()
    const storage = storageAt(url)
    for (const id of ['s', 'other']) await storage.append(id, at(0), log(1))
    const connection = await connect({ servers: url })
    onTestFinished(() => connection.close())
    const { headers } = await import('@nats-io/transport-node')
    const fieldsOf = (header: object | undefined) => {
      const fields = headers()
      if (header) fields.set('Offthread', JSON.stringify(header))
      return fields
    }
    const publish = (subject: string, data: string, header?: object) =>
      connection.request(subject, data, { timeout: 5000, headers: fieldsOf(header) })
    return { url, storage, connection, fieldsOf, publish }
  }
})

test('[K4] two accounts with the same names keep their sessions from each other', async () => {
  const account = (user: string) =>
    `${user} { jetstream: enabled, users: [{ user: ${user}, password: secret }] }`
  const config = `
accounts {
  ${account('anna')}
  ${account('bert')}
  SYS { users: [{ user: admin, password: secret }] }
}
system_account: SYS`
  const { url } = await start({ config })
  const as = (user: string) => storageAt(url, { user, pass: 'secret' })
  const [own, colleague, stranger] = [as('anna'), as('anna'), as('bert')]
  const claim = await own.claim('s', 'if-free')
  const { epoch = 0 } = claim ?? {}
  await own.append('s', at(0, epoch), log(2))
  await own.writeBytes('s', 'file', new Blob(['secret']))
  const received: unknown[] = []
  const line = own.connect('s', (message) => received.push(message))
  onTestFinished(line.close)
  const seen: unknown[] = []
  onTestFinished(stranger.follow('s', 0, (events) => seen.push(...events)))
  await own.list()

  // Nothing of it is there.
  expect(await stranger.read('s')).toEqual([])
  expect(await stranger.list()).toEqual([])
  expect(await stranger.readBytes('s', 'file')).toBeUndefined()
  // What it does is done to a session of its own.
  const wish = stranger.connect('s', () => {})
  onTestFinished(wish.close)
  wish.post({ say: 'wish' })
  await expect(stranger.append('s', at(2, epoch), log(3).slice(2))).rejects.toThrow()
  const taken = await stranger.claim('s', 'take')
  await stranger.delete('s')
  taken?.release()

  await own.append('s', at(2, epoch), log(3).slice(2))
  expect(claim?.lost.aborted).toBe(false)
  expect(await colleague.read('s')).toEqual(log(3))
  colleague.connect('s', () => {}).post('from a colleague')
  await expect.poll(() => received).toEqual(['from a colleague'])
  expect(seen).toEqual([])
})

test('[K1] streams that another device has created since a look at the server are used', async () => {
  const { url } = await start()
  const meanwhile = createDeferred<void>()
  const connectLate = async () => {
    const connection = await connect({ servers: url })
    onTestFinished(() => connection.close())
    const request = connection.request.bind(connection)
    connection.request = async (subject, ...more) => {
      if (subject === '$JS.API.STREAM.CREATE.offthread') {
        await createStream(url, { max_msg_size: 8192, discard: 'new' })
        meanwhile.resolve()
      }
      return request(subject, ...more)
    }
    return connection
  }

  await nats({ connect: connectLate }).append('s', at(0), log(2))

  await meanwhile.promise
  expect(await storageAt(url).read('s')).toEqual(log(2))
})

async function start(options: NatsOptions = {}) {
  const server = await startNats(options)
  onTestFinished(server.stop)
  return server
}

/** An event of about so many bytes. */
function large(seq: number, bytes: number): DurableEvent {
  const place = { v: 1, seq, ts: seq, sessionId: 's', runId: null, turn: 0 } as const
  return { ...place, type: 'warning', code: 'test', message: 'x'.repeat(bytes) }
}

/** Creates the stream of the logs, as an administrator would. */
async function createStream(url: string, limits: object, verb = 'CREATE') {
  const connection = await connect({ servers: url })
  const config = { name: 'offthread', subjects: ['offthread.log.*'], ...limits }
  const text = JSON.stringify(config)
  const { data } = await connection.request(`$JS.API.STREAM.${verb}.offthread`, text)
  expect(new TextDecoder().decode(data)).not.toContain('"error"')
  await connection.close()
}
