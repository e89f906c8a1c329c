import { connect } from '@nats-io/transport-node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAgent } from '../packages/core/src/index.ts'
import type { DurableEvent } from '../packages/core/src/kernel/events.ts'
import { sessionsIn } from '../packages/core/src/sessions.ts'
import type { SessionStorage } from '../packages/core/src/storage/port.ts'
import { log } from '../packages/core/src/storage/storage.contract.ts'
import { type ScriptedModel, say, scriptedModel } from '../packages/core/src/testing.ts'
import { type NatsConnection, nats } from '../packages/nats/src/index.ts'
import { at, storageAt } from './connect.fixtures.ts'
import { startCuttingProxy } from './cutting-proxy.mjs'
import { startNats } from './start-nats.mjs'

/** The server takes messages of 64 kB. */
const config = 'max_payload: 65536'

test('[K5] an event that is larger than a message is stored whole, read from any place, and followed', async () => {
  const { url } = await start()
  const [storage, follower] = [storageAt(url), storageAt(url)]
  const seen: DurableEvent[] = []
  onTestFinished(follower.follow('s', 0, (events) => seen.push(...events)))
  const all = [...log(2), large(2), large(3), ...log(6).slice(4), large(6), ...log(9).slice(7)]

  await storage.append('s', at(0), all.slice(0, 6))
  await storage.append('s', at(6), all.slice(6, 7))
  await storage.append('s', at(7), all.slice(7))

  for (const from of all.keys()) {
    expect(await storageAt(url).read('s', from, from + 2)).toEqual(all.slice(from, from + 2))
  }
  expect(await storageAt(url).read('s')).toEqual(all)
  expect(await storage.list()).toMatchObject([{ events: 9 }])
  await vi.waitFor(() => expect(seen).toEqual(all), { timeout: 10_000 })
})

test('[K5] a photo that is larger than a message is sent by the owner and by another device, and shown on both', async () => {
  const { url } = await start()
  const desk = agentOn(storageAt(url), scriptedModel([say('A cat.')], [say('A dog.')]))
  await desk.prompt([photo('cat')])
  const phone = agentOn(storageAt(url), scriptedModel())
  await phone.ready
  expect(phone.getState().access).toBe('follower')
  expect(phone.getState().messages).toEqual(desk.getState().messages)

  expect(await phone.prompt([photo('dog')])).toMatchObject({ text: 'A dog.' })

  await vi.waitFor(() => expect(desk.getState().messages).toEqual(phone.getState().messages), {
    timeout: 20_000,
  })
  await desk.stored()
  const later = agentOn(storageAt(url), scriptedModel())
  await later.ready
  expect(later.getState().messages).toEqual(desk.getState().messages)
  expect(JSON.stringify(later.getState().messages).includes(photo('dog').data)).toBe(true)
  for (const agent of [phone, later, desk]) await close(agent)
})

test('[K5] a session with a photo that is larger than a message is forked, exported, imported, redacted and deleted', async () => {
  const { url } = await start()
  const storage = storageAt(url)
  const agent = agentOn(storage, scriptedModel([say('A cat.')]))
  await agent.prompt([photo('cat')])
  const { messages } = agent.getState()
  const [asked, answered] = messages
  await close(agent)
  const sessions = sessionsIn(storage)

  const forked = await sessions.fork('shared', answered?.id ?? '')
  const { sessionId: imported } = await sessions.import(await sessions.export('shared'))

  for (const id of [forked, imported]) {
    expect(JSON.stringify(await storage.read(id)).includes(photo('cat').data)).toBe(true)
  }
  for (const id of ['shared', forked, imported]) {
    const one = agentOn(storageAt(url), scriptedModel(), id)
    await one.ready
    expect(one.getState().messages.map(({ content }) => content)).toEqual(
      messages.map(({ content }) => content),
    )
    await close(one)
  }
  await sessions.delete(forked)
  await sessions.delete(imported)
  await sessions.redact('shared', asked?.id ?? '')
  expect(await storage.read('shared')).not.toEqual([])
  const pixels = photo('cat').data.slice(0, 1000)
  expect(JSON.stringify(await storage.read('shared')).includes(pixels)).toBe(false)
  expect((await storedTexts(url)).includes(pixels)).toBe(false)
})

test.for(['before', 'after'] as const)(
  '[K5] a connection that is cut at any piece of an event, %s the server has it, costs nothing and doubles nothing',
  async (when) => {
    const { url } = await start()
    const proxy = await startCuttingProxy(url)
    onTestFinished(proxy.close)
    const storage = storageAt(proxy.url)
    const event = large(1, 200_000)
    const pieces = 4
    for (let piece = 0; piece < pieces; piece += 1) {
      const id = `cut at ${piece}`
      await storage.append(id, at(0), log(1))

      proxy.cutNext(when, piece)
      await storage.append(id, at(1), [event])
      await storage.append(id, at(2), log(3).slice(2))

      expect(await storageAt(url).read(id)).toEqual([...log(1), event, ...log(3).slice(2)])
    }
    expect(proxy.cuts()).toBe(pieces)
  },
)

test('[K5] an event whose last piece never came does not count', async () => {
  const { url } = await start()
  const proxy = await startCuttingProxy(url)
  onTestFinished(proxy.close)
  const dying = storageAt(proxy.url, { reconnect: false })
  await dying.append('s', at(0), log(1))
  const storage = storageAt(url)
  const seen: DurableEvent[] = []
  onTestFinished(storage.follow('s', 0, (events) => seen.push(...events)))
  proxy.cutNext('after', 2)
  await expect(dying.append('s', at(1), [large(1)])).rejects.toMatchObject({ name: 'StorageError' })

  expect(await storage.read('s')).toEqual(log(1))
  const position = at(1, (await storage.claim('s', 'take'))?.epoch)
  await storage.append('s', position, [large(1, 70_000)])

  expect(await storage.read('s')).toEqual([...log(1), large(1, 70_000)])
  await expect.poll(() => seen).toEqual([...log(1), large(1, 70_000)])
})

test('[K5] the last event of a page may be larger than a message', async () => {
  const { url } = await start()
  const opened = await connect({ servers: url })
  onTestFinished(() => opened.close())
  const connection: NatsConnection = opened
  let sent = 0
  const counting: NatsConnection = Object.create(connection, {
    request: {
      value: (...args: Parameters<NatsConnection['request']>) => {
        sent += 1
        return connection.request(...args)
      },
    },
  })
  const storage = nats({ connect: async () => counting })
  await storage.append('s', at(0), log(1))
  sent = 0

  const append = storage.append('s', { ...at(1), isLast: true }, [large(1), ...log(3).slice(2)])

  // All of it before the page is gone.
  expect(sent).toBe(6)
  await append
  await storage.append('s', at(3), log(4).slice(3))
  expect(await storageAt(url).read('s')).toEqual([...log(1), large(1), ...log(4).slice(2)])
})

test('[K5] an event beyond what a session takes is refused whole, and named with its size and the limit', async () => {
  const { url } = await start()
  const storage = storageAt(url)

  const append = storage.append('s', at(0), [...log(1), large(1, 34_000_000)])

  await expect(append).rejects.toMatchObject({
    name: 'StorageError',
    message: expect.stringMatching(/^Event 1 \(warning\) has 34000\d\d\d bytes.*at most 33554432/u),
  })
  expect(await storage.read('s')).toEqual([])
  const last = storage.append('s', { ...at(0), isLast: true }, [large(0, 34_000_000)])
  await expect(last).rejects.toMatchObject({ name: 'StorageError' })
})

test('[K5] [K8] pieces are of a version that readers without them refuse, and foreign ones are damage', async () => {
  const { url } = await start()
  const storage = storageAt(url)
  await storage.append('s', at(0), [large(0, 100_000)])
  const connection = await connect({ servers: url })
  onTestFinished(() => connection.close())
  const query = JSON.stringify({ next_by_subj: 'offthread.log.s', seq: 1 })
  const answer = await connection.request('$JS.API.STREAM.MSG.GET.offthread', query)
  const { message } = answer.json<{ message: { hdrs: string } }>()
  expect(atob(message.hdrs)).toMatch(/Offthread: \{"v":2,/u)

  const place = { epoch: 0, base: 0, created: 0, updated: 0, head: 1, at: 0 }
  const foreign = {
    'too large': [{ cut: 40_000_000, isPart: true, batch: 'b' }],
    'longer than it says': [{ cut: 5, isPart: true, batch: 'b' }],
    'shorter than it says': [{ cut: 100, batch: 'b' }],
    'without its rest': [{ cut: 100, isPart: true, batch: 'b' }, { batch: 'b' }],
    'of two sizes': [
      { cut: 100, isPart: true, batch: 'b' },
      { cut: 90, batch: 'b' },
    ],
  }
  for (const [name, marks] of Object.entries(foreign)) {
    const id = name.replaceAll(' ', '-')
    for (const mark of marks) await publish(url, id, { v: 2, ...place, ...mark })
    await expect(storage.read(id), name).rejects.toMatchObject({ kind: 'damaged' })
  }
  expect(await storage.read('s')).toHaveLength(1)
})

test('[K7] a server or a stream that takes too little in one message is named', async () => {
  const { url } = await startWith('max_payload: 2048')
  await expect(storageAt(url).list()).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringMatching(/at most 2048 bytes.*Set max_payload/u),
  })

  const other = await start()
  const connection = await connect({ servers: other.url })
  const stream = { name: 'offthread', subjects: ['offthread.log.*'], discard: 'new' }
  const limited = JSON.stringify({ ...stream, max_msg_size: 1000 })
  await connection.request('$JS.API.STREAM.CREATE.offthread', limited)
  await connection.close()
  await expect(storageAt(other.url).list()).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('nats stream edit offthread --max-msg-size -1'),
  })
})

const start = () => startWith(config)

async function startWith(config: string) {
  const server = await startNats({ config })
  onTestFinished(server.stop)
  return server
}

function agentOn(storage: SessionStorage, model: ScriptedModel, sessionId = 'shared') {
  const agent = createAgent({ model, storage, sessionId })
  onTestFinished(agent.dispose)
  return agent
}

/** Before its connection closes. */
async function close({ dispose, stored }: ReturnType<typeof agentOn>): Promise<void> {
  dispose()
  await stored().catch(() => {})
}

/** A megabyte of an image, as base64. Each begins with its name. */
function photo(name: string) {
  return {
    type: 'image',
    mediaType: 'image/png',
    data: name.padEnd(1_400_000, 'iVBORw0K'),
  } as const
}

/** An event of about so many bytes, with characters of several bytes. */
function large(seq: number, bytes = 300_000): DurableEvent {
  const place = { v: 1, seq, ts: seq, sessionId: 's', runId: null, turn: 0 } as const
  const message = '“ä🙂”x'.repeat(bytes / 13)
  return { ...place, type: 'warning', code: 'test', message }
}

/** Stores a message as another program might. */
async function publish(url: string, id: string, mark: object): Promise<void> {
  const { headers } = await import('@nats-io/transport-node')
  const connection = await connect({ servers: url })
  const fields = headers()
  fields.set('Offthread', JSON.stringify(mark))
  const options = { timeout: 5000, headers: fields }
  await connection.request(`offthread.log.${id}`, '[{"v":1}]', options)
  await connection.close()
}

/** The content of all messages of the logs. */
async function storedTexts(url: string): Promise<string> {
  const connection = await connect({ servers: url })
  const ask = async (method: string, body: object) =>
    (await connection.request(`$JS.API.STREAM.${method}.offthread`, JSON.stringify(body))).json<{
      state: { first_seq: number; last_seq: number }
      message?: { data?: string }
    }>()
  const { state } = await ask('INFO', {})
  let texts = ''
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    texts += atob((await ask('MSG.GET', { seq })).message?.data ?? '')
  }
  await connection.close()
  return texts
}
