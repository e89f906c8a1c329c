import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { describeUnderFaults } from '../packages/core/src/storage/faults.contract.ts'
import { lateStorage } from '../packages/core/src/storage/faulty-storage.fixtures.ts'
import { describeRedaction } from '../packages/core/src/storage/redaction.contract.ts'
import { describeStorage, log } from '../packages/core/src/storage/storage.contract.ts'
import { nats } from '../packages/nats/src/index.ts'
import { type NatsServer, startNats } from './start-nats.mjs'

let server: NatsServer
let created = 0

beforeAll(async () => {
  server = await startNats()
})
afterAll(() => server.stop())

const connections = new Set<Awaited<ReturnType<typeof connect>>>()
afterAll(async () => {
  for (const connection of connections) await connection.close()
})

async function create() {
  created += 1
  const connection = await connect({ servers: server.url })
  connections.add(connection)
  return nats({ connect: async () => connection, name: `storage${created}` })
}

describeStorage('nats', create)
describeStorage('nats, with late answers', async () => lateStorage(await create()))
describeUnderFaults('nats', create)
describeRedaction('nats', create)

test('[K1] a page without a secure context, which has no randomUUID, keeps sessions at a server, too', async () => {
  const storage = await create()
  const { crypto } = globalThis
  vi.stubGlobal('crypto', {
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes),
  })

  const claim = await storage.claim('s', 'if-free')
  await storage.append('s', { head: 0, epoch: claim?.epoch ?? 0 }, log(2))

  expect(await storage.read('s')).toEqual(log(2))
  claim?.release()
  vi.unstubAllGlobals()
})
