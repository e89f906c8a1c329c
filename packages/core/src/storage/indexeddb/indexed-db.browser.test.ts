import { expect, onTestFinished, test, vi } from 'vitest'
import type { DurableEvent } from '../../kernel/events.ts'
import { describeUnderFaults } from '../faults.contract.ts'
import { lateStorage } from '../faulty-storage.fixtures.ts'
import { describeRedaction } from '../redaction.contract.ts'
import { describeStorage, log } from '../storage.contract.ts'
import { indexedDb } from './indexed-db.ts'
import type { Standstill } from './standing-still.fixtures.worker.ts'

const create = () => indexedDb({ name: crypto.randomUUID() })

describeStorage('indexedDb', create)
describeStorage('indexedDb, with late answers', () => lateStorage(create()))
describeUnderFaults('indexedDb', create)
describeRedaction('indexedDb', create)

test.each(['append', 'read'] as const)(
  '[D110] a tab that stands still after it asked for %s keeps no other from taking the session over',
  async (request) => {
    const name = crypto.randomUUID()
    const order: string[] = []
    const worker = new Worker(new URL('./standing-still.fixtures.worker.ts', import.meta.url), {
      type: 'module',
    })
    onTestFinished(() => worker.terminate())
    worker.onmessage = ({ data }: MessageEvent<string>) => order.push(data)
    worker.postMessage({ name, request, ms: 3000 } satisfies Standstill)
    await expect.poll(() => order, { interval: 10, timeout: 20_000 }).toEqual(['stands still'])

    const claim = await indexedDb({ name }).claim('one', 'take')

    expect(claim?.epoch).toBe(2)
    expect(order).toEqual(['stands still'])
  },
)

test('[D88] what a page left in localStorage is in the list', async () => {
  const name = crypto.randomUUID()
  const storage = indexedDb({ name })
  const { epoch, release } = (await storage.claim('one:1', 'if-free')) ?? expect.fail()
  localStorage.setItem(
    `offthread:${name}:one:1`,
    JSON.stringify({ epoch, head: 0, events: log(2) }),
  )
  expect(await storage.list()).toEqual([])

  release()

  // The browser frees the lock a moment later.
  await expect.poll(() => storage.list()).toMatchObject([{ sessionId: 'one:1', events: 2 }])
  expect(localStorage.getItem(`offthread:${name}:one:1`)).toBeNull()
})

test('[D104] two databases have no session in common, whatever their names are', async () => {
  const names = [
    ['a', 'b:c'],
    ['a:b', 'c'],
    ['a%3ab', 'c'],
    ['-a', 'b:c'],
  ] as const

  const claims = await Promise.all(
    names.map(([name, sessionId]) => indexedDb({ name }).claim(sessionId, 'if-free')),
  )

  expect(claims).not.toContain(null)
  for (const claim of claims) claim?.release()
})

test('[D1] [D93] where tabs cannot post to each other, each that opens a session takes it, and the one before writes no more', async () => {
  vi.stubGlobal('BroadcastChannel', undefined)
  onTestFinished(() => void vi.unstubAllGlobals())
  const name = crypto.randomUUID()
  const [one, other] = [indexedDb({ name }), indexedDb({ name })]
  const before = (await one.claim('s', 'if-free')) ?? expect.fail()
  await one.append('s', { head: 0, epoch: before.epoch }, log(1))

  const after = (await other.claim('s', 'if-free')) ?? expect.fail()
  await other.append('s', { head: 1, epoch: after.epoch }, log(2).slice(1))

  const late = one.append('s', { head: 1, epoch: before.epoch }, log(2).slice(1))
  await expect(late).rejects.toMatchObject({ kind: 'not_owner' })
  expect(await one.read('s')).toEqual(log(2))
})

test('a message of another script of the origin is none of its pages', async () => {
  const name = crypto.randomUUID()
  const [one, other] = [indexedDb({ name }), indexedDb({ name })]
  const received: unknown[] = []
  const failures: string[] = []
  const note = ({ message }: ErrorEvent) => failures.push(message)
  addEventListener('error', note)
  onTestFinished(() => removeEventListener('error', note))
  const line = other.connect('s', (message) => received.push(message))
  onTestFinished(line.close)
  const channel = new BroadcastChannel(name)
  onTestFinished(() => channel.close())
  const notice = { kind: 'message', message: 'forged' }
  const foreign = [
    ...[null, 1, 'text', [], {}, { sessionId: 's' }, { sessionId: 's', notice: null }],
    ...['unknown', 'claimed', 'deleted', 'message'].map((kind) => ({
      sessionId: 's',
      notice: { kind },
    })),
    { sessionId: { s: 's' }, notice },
  ]

  const sender = one.connect('s', () => {})
  onTestFinished(sender.close)
  sender.post('first')
  await expect.poll(() => received).toEqual(['first'])
  for (const message of foreign) channel.postMessage(message)
  sender.post('second')

  await expect.poll(() => received).toEqual(['first', 'second'])
  expect(failures).toEqual([])
  expect(line.ended.aborted).toBe(false)
})

test('[D139] a flood on the channel of a storage does not hold the page, and followers miss nothing that is stored', async () => {
  const name = crypto.randomUUID()
  const [one, other] = [indexedDb({ name }), indexedDb({ name })]
  const claim = (await one.claim('s', 'take')) ?? expect.fail()
  const heard: unknown[] = []
  const followed: DurableEvent[] = []
  const line = other.connect('s', (message) => heard.push(message))
  const stop = other.follow('s', 0, (events) => followed.push(...events))
  const flood = startWorker(`
    const channel = new BroadcastChannel('${name}')
    const notice = { kind: 'message', message: 'flood' }
    for (let i = 0; i < 20_000; i++) channel.postMessage({ sessionId: 's', notice })
  `)
  onTestFinished(() => {
    line.close()
    stop()
    flood.terminate()
  })

  await expect.poll(() => heard.length).toBeGreaterThan(400)
  await one.append('s', { head: 0, epoch: claim.epoch }, log(3))
  await expect.poll(() => followed).toEqual(log(3))

  const { post, close } = one.connect('s', () => {})
  onTestFinished(close)
  await expect
    .poll(() => {
      post('honest')
      return heard.at(-1)
    })
    .toBe('honest')
  expect(heard.length).toBeLessThan(10_000)
  expect(line.ended.aborted).toBe(false)
})

function startWorker(code: string): Worker {
  const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
  onTestFinished(() => URL.revokeObjectURL(address))
  return new Worker(address)
}
