import { isDerived } from '../../packages/core/src/storage/derived-bytes.ts'
import { StorageError } from '../../packages/core/src/storage/port.ts'
import type { FilePlan } from '../plan.ts'
import type { Disk } from './disk.ts'
import type { Wait } from './timeline.ts'

export interface FileOptions {
  readonly disk: Disk
  readonly latencyMs: number
  readonly nextFile: () => FilePlan | undefined
  readonly noteFault: (fault: FilePlan['fault']) => void
  readonly noteRefused: (key: string) => void
}

/** How one page writes the files of the session. */
export interface Files {
  readonly keep: (epoch: number, key: string, data: Blob | null) => Promise<void>
  /**
   * The writing of a file; `null` if none is being written. A storage keeps the order of files and the events that name
   * them.
   */
  readonly underWay: () => Promise<unknown> | null
  /** Whether the page was notified that the file is not stored. */
  readonly hasRefused: (key: string) => boolean
}

/** Files, with what the plan says of each. */
export function createFiles(
  { disk, latencyMs, nextFile, noteFault, noteRefused }: FileOptions,
  wait: Wait,
): Files {
  const writing = new Set<Promise<unknown>>()
  const refused = new Set<string>()

  async function write(epoch: number, key: string, data: Blob | null): Promise<void> {
    const plan = data ? nextFile() : undefined
    if (plan) noteFault(plan.fault)
    await wait(plan?.ms ?? latencyMs)
    if (plan?.fault === 'file_refused') throw new StorageError('full', 'There is no space.')
    disk.keepFile(epoch, key, data)
    if (plan?.fault === 'file_unacknowledged')
      throw new StorageError('unknown', 'The outcome is unknown.')
  }

  return {
    keep: async (epoch, key, data) => {
      // The simulation has modes of its own for snapshots.
      if (isDerived(key)) return
      const written = write(epoch, key, data).catch((error: unknown) => {
        refused.add(key)
        noteRefused(key)
        throw error
      })
      const settled = written.catch(() => {}).finally(() => writing.delete(settled))
      writing.add(settled)
      return written
    },
    underWay: () => (writing.size > 0 ? Promise.all(writing) : null),
    hasRefused: (key) => refused.has(key),
  }
}
