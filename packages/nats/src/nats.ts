import { platformClock } from '@offthread/core/host'
import type { SessionStorage } from '@offthread/core/storage'
import type { NatsConnection } from './connection.ts'
import { createNatsStorage } from './create-storage.ts'
import { randomId } from './random-id.ts'

/** Where sessions are kept at a NATS server. */
export interface NatsOptions {
  /**
   * Connects to the server. Called when the storage is first used, and again if that has failed. The connection stays
   * yours: closing it ends the storage.
   */
  readonly connect: () => Promise<NatsConnection>
  /** The name of the streams. Default `'offthread'`. A person who may use the streams has all sessions in them. */
  readonly name?: string
  /** How many servers of a cluster keep each stream, when it is created. Default 1; 3 survives the loss of one. */
  readonly replicas?: number
}

/**
 * Keeps sessions at a NATS server with JetStream, so that other devices and people have them, too. What counts as stored
 * is on the server, and with `replicas: 3` on two servers of three.
 *
 * @example
 * ```ts
 * import { wsconnect } from '@nats-io/nats-core'
 *
 * const storage = nats({ connect: () => wsconnect({ servers: 'wss://nats.example.com', token }) })
 * const agent = createAgent({ model, storage, sessionId: 'notes' })
 * ```
 */
export function nats({ connect, name = 'offthread', replicas = 1 }: NatsOptions): SessionStorage {
  const options = { connect, name, replicas, newId: randomId, clock: platformClock }
  return createNatsStorage(options)
}
