import type { Clock } from '@offthread/core/host'
import { checkReplaced, type SessionStorage } from '@offthread/core/storage'
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

export interface StorageOptions {
  readonly connect: () => Promise<NatsConnection>
  readonly name: string
  readonly replicas: number
  readonly clock: Clock
  readonly newId: () => string
}

/** The storage of `nats`, put together of its parts. */
export function createNatsStorage(options: StorageOptions): SessionStorage {
  const { connect, name, replicas, clock, newId } = options
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
  const lines = createLines(base)
  const parts = { ...base, ...{ log, records, files, lines } }
  const appends = createAppends(parts)
  const { claim, isThere } = createClaims({ ...parts, appends })
  return {
    read: log.read,
    append: (sessionId, position, events) => {
      const append = () => appends.append(sessionId, position, events)
      // The files that the events name come first. In a page's last moment they cannot wait.
      return (position.isLast ? undefined : files.settled(sessionId))?.then(append) ?? append()
    },
    follow: createFollow(parts),
    connect: createConnect(base, lines, records),
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
