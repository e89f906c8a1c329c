import { toLineName } from './attached-line.ts'

export interface PendingFile {
  readonly name: string
  readonly file: Blob
}

/** The files that will go with the next message. */
export interface Attachments {
  readonly getState: () => readonly PendingFile[]
  readonly subscribe: (listener: () => void) => () => void
  /** Adds files. One of the same name is replaced. */
  readonly add: (files: Iterable<File>) => void
  readonly remove: (name: string) => void
  readonly clear: () => void
}

export function createAttachments(): Attachments {
  const listeners = new Set<() => void>()
  let pending: readonly PendingFile[] = []
  const set = (next: readonly PendingFile[]): void => {
    pending = next
    for (const listener of listeners) listener()
  }
  return {
    getState: () => pending,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add: (files) => {
      const added = new Map([...files].map((file) => [toLineName(file.name), file]))
      const kept = pending.filter(({ name }) => !added.has(name))
      set([...kept, ...[...added].map(([name, file]) => ({ name, file }))])
    },
    remove: (name) => set(pending.filter((file) => file.name !== name)),
    clear: () => set([]),
  }
}
