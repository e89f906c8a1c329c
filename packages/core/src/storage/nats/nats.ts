import { platformClock } from '../../internal/clock.ts'
import type { SessionStorage } from '../port.ts'
import { checkReplaced } from '../position.ts'
import { createAppends } from './append.ts'
import { createClaims } from './claims.ts'
import type { NatsConnection } from './connection.ts'
import { createList } from './entries.ts'
import { createFiles } from './files.ts'
import { createFollow } from './follow.ts'
import { createConnect, createLines } from './lines.ts'
import { createLink } from './link.ts'
import { createDeliveries } from './messages.ts'
import { namesOf } from './names.ts'
import { createObjects } from './objects.ts'
import { createRecords, newRecord } from './records.ts'
import { createRemoval } from './removal.ts'
import { checkServer } from './server-check.ts'
import { createStoredLog } from './stored-log.ts'
import { createStreams } from './streams.ts'

/** Where sessions are kept at a NATS server. */
export interface NatsOptions {
  /**
   * Connects to the server. Called when the storage is first used, and again if that has failed. The connection stays
   * yours: closing it ends the storage.
   */
  readonly connect: () => Promise<NatsConnection>
  /** The name of the streams. Default `'offthread'`. Who may use them has its sessions. */
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
  const clock = platformClock
  const newId = () => crypto.randomUUID()
  const names = namesOf(name)
  const link = createLink({ connect, check: checkServer, clock })
  const deliveries = createDeliveries({ link, names, newId, clock })
  const base = {
    link,
    names,
    deliveries,
    newId,
    clock,
    streams: createStreams(link, names, replicas),
  }
  const log = createStoredLog(base)
  const records = createRecords(base)
  const files = createFiles(records, createObjects(base))
  const lines = createLines(link, names)
  const parts = { ...base, ...{ log, records, files, lines } }
  const appends = createAppends(parts)
  const { claim, isThere } = createClaims({ ...parts, appends })
  return {
    read: log.read,
    append: async (sessionId, position, events) => {
      // The files that the events name come first. In a page's last moment they cannot wait.
      if (!position.isLast) await files.settled(sessionId)
      return appends.append(sessionId, position, events)
    },
    follow: createFollow(parts),
    connect: createConnect(link, lines, newId),
    claim,
    list: createList({ ...parts, isThere }),
    describe: async (sessionId, description) => {
      const isKnown = async () => (await log.tail(sessionId)).seq > 0
      await records.change(
        sessionId,
        async (known) =>
          (known !== null || (await isKnown())) && { ...(known ?? newRecord), ...description },
      )
    },
    writeBytes: (sessionId, key, data) => files.keep(sessionId, { key, data }),
    readBytes: files.read,
    delete: createRemoval(parts),
    redact: async (sessionId, position, { replaced, added, removedKeys, topic }) => {
      const start = await appends.replace(sessionId, position, async ({ head }) => {
        checkReplaced({ ...position, head }, replaced)
        const events = [...(await log.read(sessionId, 0, head)), ...added]
        for (const event of replaced) events[event.seq] = event
        return events
      })
      await log.removeBefore(sessionId, start)
      await files.redact(sessionId, removedKeys, topic)
    },
    lasts: async () => 'persistent',
  }
}
