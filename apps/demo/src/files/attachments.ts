import type { StoreApi } from 'zustand/vanilla'
import { createStore } from 'zustand/vanilla'
import { toLineName } from './attached-line.ts'

export interface PendingFile {
  readonly name: string
  readonly file: Blob
}

/** The files that will go with the next message. */
export interface Attachments extends Omit<StoreApi<readonly PendingFile[]>, 'setState'> {
  /** Adds files. One of a name that is taken gets a number: `a (2).csv`. */
  readonly add: (files: Iterable<File>) => void
  readonly remove: (name: string) => void
  readonly clear: () => void
}

export function createAttachments(): Attachments {
  const { setState, ...store } = createStore<readonly PendingFile[]>(() => [])
  return {
    ...store,
    add: (files) => {
      const next = [...store.getState()]
      for (const file of files) {
        const taken = next.map(({ name }) => name)
        next.push({ name: toFreeName(toLineName(file.name), taken), file })
      }
      setState(next, true)
    },
    remove: (name) => setState((files) => files.filter((file) => file.name !== name), true),
    clear: () => setState([], true),
  }
}

/** The name, or the first of `a (2).csv`, `a (3).csv`, … that is not taken. */
function toFreeName(name: string, taken: readonly string[]): string {
  // Of names that differ in case only, the tables would be one and the same.
  const used = new Set(taken.map((each) => each.toLowerCase()))
  const dot = name.lastIndexOf('.')
  const end = dot > 0 ? dot : name.length
  let free = name
  for (let number = 2; used.has(free.toLowerCase()); number += 1) {
    free = `${name.slice(0, end)} (${number})${name.slice(end)}`
  }
  return free
}
