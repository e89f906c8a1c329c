import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { DurableEvent } from '../packages/core/src/kernel/events.ts'
import type { Claim, SessionStorage } from '../packages/core/src/storage/port.ts'
import { at, storageAt } from './connect.fixtures.ts'
import { startCuttingProxy } from './cutting-proxy.mjs'
import { type NatsServer, startNats } from './start-nats.mjs'

let server: NatsServer

beforeAll(async () => {
  server = await startNats()
})
afterAll(() => server.stop())

const rounds = 200

test('[K10] in 200 races of a deletion with appends, claims and followers nothing of what was deleted comes back', async () => {
  const [desk, phone, desktop, watcher] = [1, 2, 3, 4].map(() => storageAt(server.url))
  if (!desk || !phone || !desktop || !watcher) throw new Error('There are four devices.')
  await Promise.all([desk, phone, desktop, watcher].map((storage) => storage.list()))
  const random = randomFrom(16)
  const wait = (ms = 4) => new Promise<void>((resolve) => void setTimeout(resolve, random() * ms))
  const met = new Map<string, number>()
  const meet = (what: string) => void met.set(what, (met.get(what) ?? 0) + 1)

  for (let round = 0; round < rounds; round += 1) {
    const id = `race ${round}`
    const owner = await claimed(desk, id)
    await desk.append(id, at(0, owner.epoch), events('old', 0, 2))
    const seen: DurableEvent[] = []
    const stop = watcher.follow(id, 0, (more) => seen.push(...more))
    const line = watcher.connect(id, () => {})
    if (random() < 0.5) await expect.poll(() => seen).toHaveLength(2)

    const deleting = wait(12).then(() => desktop.delete(id))
    const appending = wait().then(() => desk.append(id, at(2, owner.epoch), events('old', 2, 1)))
    const next = wait().then(() => takeAndWrite(phone, id, round % 2 === 0 ? 'take' : 'if-free'))
    const [deleted, appended, taken] = await Promise.allSettled([deleting, appending, next])

    expect(deleted.status, id).toBe('fulfilled')
    if (appended.status === 'rejected') {
      expect(appended.reason, id).toMatchObject({
        kind: expect.stringMatching(/^(?:cleared|not_owner|conflict)$/u),
      })
    }
    meet(`append ${appended.status}`)
    await expect.poll(() => owner.lost.aborted, { message: id }).toBe(true)
    await expect
      .poll((): unknown => line.ended.reason, { message: id })
      .toMatchObject({ kind: 'cleared' })
    const stored = await watcher.read(id)
    expect(textsOf(stored), id).not.toContain('old')
    const late = desk.append(id, at(3, owner.epoch), events('old', 3, 1))
    await expect(late, id).rejects.toMatchObject({ name: 'StorageError' })

    if (taken.status === 'fulfilled' && taken.value) {
      const { claim, isWritten } = taken.value
      if (stored.length > 0) {
        meet('a claim after the deletion')
        expect(stored, id).toEqual(events('new', 0, 2))
        expect(isWritten, id).toBe(true)
        await phone.append(id, at(2, claim.epoch), events('new', 2, 1))
        expect(await watcher.read(id), id).toEqual(events('new', 0, 3))
      } else {
        meet('a claim before the deletion')
        await expect.poll(() => claim.lost.aborted, { message: id }).toBe(true)
      }
      claim.release()
    } else {
      meet('no claim')
      expect(stored, id).toEqual([])
      // It can be used again.
      const again = await claimed(phone, id)
      await phone.append(id, at(0, again.epoch), events('new', 0, 1))
      expect(await watcher.read(id), id).toEqual(events('new', 0, 1))
      again.release()
    }
    // Of two logs a follower sees one.
    const kinds = new Set(seen.flatMap((event) => textsOf([event])))
    expect(kinds.size, id).toBeLessThan(2)
    expect(
      seen.map(({ seq }) => seq),
      id,
    ).toEqual(seen.map((_, seq) => seq))
    stop()
    line.close()
    owner.release()
  }

  expect([...met.keys()].toSorted()).toEqual([
    ...['a claim after the deletion', 'a claim before the deletion'],
    ...['append fulfilled', 'append rejected', 'no claim'],
  ])
})

test('[K10] a follower that was cut off while its session was deleted and written again hears of it, and sees nothing of the new one', async () => {
  const proxy = await startCuttingProxy(server.url)
  onTestFinished(proxy.close)
  const [desk, phone] = [storageAt(server.url), storageAt(proxy.url)]
  for (const lengthOfNew of [0, 1, 3, 5]) {
    const id = `cut ${lengthOfNew}`
    await desk.append(id, at(0), events('old', 0, 3))
    const seen: DurableEvent[] = []
    onTestFinished(phone.follow(id, 0, (more) => seen.push(...more)))
    const line = phone.connect(id, () => {})
    onTestFinished(line.close)
    await expect.poll(() => seen).toHaveLength(3)

    proxy.setOpen(false)
    await desk.delete(id)
    await desk.append(id, at(0), events('new', 0, lengthOfNew))
    expect(line.ended.aborted).toBe(false)
    proxy.setOpen(true)

    await vi.waitFor(() => expect(line.ended.reason).toMatchObject({ kind: 'cleared' }), {
      timeout: 10_000,
    })
    await desk.append(id, at(lengthOfNew), events('new', lengthOfNew, 4))
    expect(await phone.read(id)).toEqual(events('new', 0, lengthOfNew + 4))
    expect(seen).toEqual(events('old', 0, 3))
  }
})

/** Claims a session and writes to it where it stands. */
async function takeAndWrite(storage: SessionStorage, id: string, mode: 'take' | 'if-free') {
  const claim = await storage.claim(id, mode)
  if (!claim) return null
  const { length } = await storage.read(id)
  const append = storage.append(
    id,
    at(length, claim.epoch),
    events(length > 0 ? 'old' : 'new', length, 2),
  )
  return {
    claim,
    isWritten: await append.then(
      () => true,
      () => false,
    ),
  }
}

async function claimed(storage: SessionStorage, id: string): Promise<Claim> {
  const claim = await storage.claim(id, 'take')
  if (!claim) throw new Error('It was taken.')
  return claim
}

function events(text: string, seq: number, count: number): readonly DurableEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{ v: 1, seq: seq + index, ts: (text === 'old' ? 1000 : 2000) + seq + index },
    ...{ sessionId: 's', runId: null, turn: 0 },
    ...{ type: 'warning', code: 'test', message: text },
  }))
}

function textsOf(log: readonly DurableEvent[]): readonly string[] {
  return log.flatMap((event) => (event.type === 'warning' ? [event.message] : []))
}

/** Numbers from 0 to 1, the same for each seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
