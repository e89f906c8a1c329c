import { isDerived, type SessionEntry, type SessionStorage } from '@offthread/core/storage'
import type { Tail } from './log-message.ts'
import type { Deliveries } from './messages.ts'
import { type Names, textOf } from './names.ts'
import { newRecord, type Records, type SessionRecord } from './records.ts'
import { type StoredLog, tailOf } from './stored-log.ts'
import type { Streams } from './streams.ts'

export interface ListOptions {
  readonly names: Names
  readonly log: StoredLog
  readonly records: Records
  readonly deliveries: Deliveries
  readonly streams: Streams
  readonly isThere: (holder: string) => Promise<boolean>
}

export function createList(options: ListOptions): SessionStorage['list'] {
  const { names, log, records, deliveries, streams, isThere } = options

  async function tails(): Promise<readonly (readonly [string, Tail])[]> {
    await streams.sessions()
    const wanted = { stream: names.logs, subject: names.subjects.logs, headersOnly: true }
    const last = await deliveries.collect(wanted)
    return last.flatMap((message) => {
      try {
        return [[textOf(message.subject), tailOf(message)] as const]
      } catch {
        // An entry that cannot be read must not hide the others.
        return []
      }
    })
  }

  async function entryOf(
    sessionId: string,
    { head, created, updated }: Tail,
    { title, topic, status, files, holder }: SessionRecord,
  ): Promise<SessionEntry> {
    const kept = Object.entries(files)
    const counted = kept.filter(([key]) => !isDerived(key))
    return {
      ...{ sessionId, createdAt: created, updatedAt: updated, events: head },
      bytes: counted.reduce((sum, [, { size }]) => sum + size, 0),
      keys: kept.map(([key]) => key),
      ...(title !== undefined && { title }),
      ...(topic !== undefined && { topic }),
      ...(status !== undefined && { status }),
      isOpen: holder !== null && (await isThere(holder)),
    }
  }

  return async (sessionId) => {
    if (sessionId !== undefined) {
      const [tail, record] = await Promise.all([log.tail(sessionId), records.get(sessionId)])
      return tail.head === 0 ? [] : [await entryOf(sessionId, tail, record ?? newRecord)]
    }
    const [logs, known] = await Promise.all([tails(), records.all()])
    const entries = logs
      .filter(([, { head }]) => head > 0)
      .map(([id, tail]) => entryOf(id, tail, known.get(id) ?? newRecord))
    return (await Promise.all(entries)).toSorted((a, b) => b.updatedAt - a.updatedAt)
  }
}
