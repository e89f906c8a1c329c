import { toLineName } from './attached-line.ts'
import { toFreeName } from './free-name.ts'

export interface PendingFile {
  readonly name: string
  readonly file: Blob
}

/** The files that will go with the next message. */
export interface Attachments {
  readonly getState: () => readonly PendingFile[]
  readonly subscribe: (listener: () => void) => () => void
  /** Adds files. One of a name that is taken gets a number: `a (2).csv`. */
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
      const next = [...pending]
      for (const file of files) {
        const taken = next.map(({ name }) => name)
        next.push({ name: toFreeName(toLineName(file.name), taken), file })
      }
      set(next)
    },
    remove: (name) => set(pending.filter((file) => file.name !== name)),
    clear: () => set([]),
  }
}
