import { checkEpoch, createSessionQueues, deletedSession, isDerived } from '@offthread/core/storage'
import type { Objects } from './objects.ts'
import { newRecord, type Records, type SessionRecord, type StoredFile } from './records.ts'

/** The bytes beside sessions: objects, which the records of the sessions name. */
export interface Files {
  /** Keeps bytes, or removes them, in the order of the calls. `epoch`: the claim under which this is done. */
  readonly keep: (
    sessionId: string,
    given: { readonly key: string; readonly data: Blob | null },
    epoch?: number,
  ) => Promise<void>
  readonly read: (sessionId: string, key: string) => Promise<Blob | undefined>
  /** Removes the bytes under these keys, and all that can be made again from the events. */
  readonly redact: (sessionId: string, keys: readonly string[], topic: string) => Promise<void>
  readonly removeAll: (record: SessionRecord) => Promise<void>
  /** Resolves when what is being kept is kept. `undefined`: nothing is. */
  readonly settled: (sessionId: string) => Promise<unknown> | undefined
}

export function createFiles(records: Records, objects: Objects): Files {
  const queues = createSessionQueues()

  async function keep(
    sessionId: string,
    { key, data }: { readonly key: string; readonly data: Blob | null },
    epoch?: number,
  ): Promise<void> {
    const id = data && (await objects.put(data))
    const file = data && id !== null ? { id, size: data.size, type: data.type } : null
    let before: StoredFile | undefined
    try {
      await records.change(sessionId, (known) => {
        if (epoch !== undefined) {
          if (!known) throw deletedSession()
          checkEpoch(known.epoch, epoch)
        }
        const record = known ?? newRecord
        const { [key]: replaced, ...others } = record.files
        before = replaced
        return { ...record, files: file ? { ...others, [key]: file } : others }
      })
    } catch (error) {
      if (id !== null) objects.remove(id).catch(() => {})
      throw error
    }
    // An object that cannot be removed is in no record any more, and only takes space.
    if (before) await objects.remove(before.id).catch(() => {})
  }

  async function remove(files: readonly StoredFile[]): Promise<void> {
    for (const { id } of files) await objects.remove(id)
  }

  return {
    keep: (sessionId, given, epoch) => queues.run(sessionId, () => keep(sessionId, given, epoch)),
    read: async (sessionId, key) => {
      const files = new Map(Object.entries((await records.get(sessionId))?.files ?? {}))
      const file = files.get(key)
      if (!file) return undefined
      const data = await objects.get(file.id)
      return data.slice(0, data.size, file.type)
    },
    redact: async (sessionId, keys, topic) => {
      let removed: readonly StoredFile[] = []
      await records.change(sessionId, (known) => {
        const files = Object.entries(known?.files ?? {})
        const isRemoved = ([key]: readonly [string, StoredFile]) =>
          isDerived(key) || keys.includes(key)
        removed = files.filter(isRemoved).map(([, file]) => file)
        const kept = files.filter((entry) => !isRemoved(entry))
        return { ...(known ?? newRecord), files: Object.fromEntries(kept), topic }
      })
      await remove(removed)
    },
    removeAll: ({ files }) => remove(Object.values(files)),
    settled: queues.settled,
  }
}
