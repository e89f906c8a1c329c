import { connect } from '@nats-io/transport-node'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { DurableEvent } from '../packages/core/src/kernel/events.ts'
import { appendOnce } from '../packages/core/src/runtime/append-once.ts'
import { log } from '../packages/core/src/storage/storage.contract.ts'
import { at, storageAt } from './connect.fixtures.ts'
import { startNatsCluster } from './start-nats.mjs'

test('[K9] a cluster of three loses nothing with any one of its servers, and refuses without two', async () => {
  const servers = await startNatsCluster()
  onTestFinished(async () => {
    await Promise.all(servers.map(({ stop }) => stop()))
  })
  const urls = servers.map(({ url }) => url)
  const open = () => storageAt(urls, {}, { replicas: 3 })
  const storage = open()
  const seen: DurableEvent[] = []
  onTestFinished(open().follow('s', 0, (events) => seen.push(...events)))
  let head = 0
  const refusals: unknown[] = []
  // As a page does that tries again: a new leader is elected in some seconds.
  const write = async (count: number) => {
    for (const end = head + count; head < end; head += 1) {
      const position = at(head)
      const events = log(head + 1).slice(head)
      const append = () => appendOnce({ storage, sessionId: 's', position }, events)
      await vi.waitFor(append, { timeout: 60_000, interval: 10 })
    }
  }
  await write(10)

  const leader = await leaderOf(urls)
  const followers = servers.filter((_, index) => `node${index}` !== leader)
  const [one, other] = followers
  if (!one || !other) throw new Error(`There are no followers of ${leader}.`)
  await one.kill()
  await write(10)
  await one.start()

  const first = servers.find((server) => !followers.includes(server))
  await first?.kill()
  await write(10)

  await other.kill()
  await storage.append('s', at(head), log(head + 1).slice(head)).catch((error: unknown) => {
    refusals.push(error)
  })
  expect(refusals).toMatchObject([{ name: 'StorageError', kind: 'unavailable' }])
  await Promise.all([first?.start(), other.start()])
  await write(10)

  // A server that has just started may refuse a new connection for longer than the storage waits.
  const stored = await vi.waitFor(() => open().read('s'), { timeout: 60_000 })
  expect(stored).toEqual(log(40))
  await vi.waitFor(() => expect(seen).toHaveLength(40), { timeout: 30_000 })
  expect(seen).toEqual(log(40))
}, 180_000)

/** The name of the server that leads the stream of the logs. */
async function leaderOf(servers: string[]): Promise<string> {
  const connection = await connect({ servers })
  const { data } = await connection.request('$JS.API.STREAM.INFO.offthread', '')
  const info: { cluster: { leader: string } } = JSON.parse(new TextDecoder().decode(data))
  await connection.close()
  return info.cluster.leader
}
