import type { Part } from '@offthread/core'
import { createStore } from 'zustand/vanilla'
import { toAttachedLine, toLineName } from './attached-line.ts'

export interface PendingFile {
  readonly name: string
  readonly file: Blob
  readonly digest?: string
}

/** Files that one message takes. The agent refuses a message of more than 1,000 parts. */
export const mostFiles = 500

/** The files that are sent with the next message. */
export function createAttachments() {
  const { setState, ...store } = createStore<readonly PendingFile[]>(() => [])
  return {
    ...store,
    /** Adds files, as many as a message takes. If a name is taken, the file gets a number: `a (2).csv`. */
    add: (files: Iterable<File>) => {
      const next = [...store.getState()]
      for (const file of files) {
        if (next.length === mostFiles) break
        const taken = next.map(({ name }) => name)
        next.push({ name: toFreeName(toLineName(file.name), taken), file })
      }
      setState(next, true)
    },
    remove: (name: string) => setState((files) => files.filter((file) => file.name !== name), true),
    clear: () => setState([], true),
  }
}

/** The name, or the first free one of `a (2).csv`, `a (3).csv`, … */
function toFreeName(name: string, taken: readonly string[]): string {
  // Names of tables ignore case, so two that differ only in case would collide.
  const used = new Set(taken.map((each) => each.toLowerCase()))
  const dot = name.lastIndexOf('.')
  const end = dot > 0 ? dot : name.length
  let free = name
  for (let number = 2; used.has(free.toLowerCase()); number += 1) {
    free = `${name.slice(0, end)} (${number})${name.slice(end)}`
  }
  return free
}

/** The parts of a message: the typed text, then one line for each file. */
export function toParts(text: string, files: readonly PendingFile[]): readonly Part[] {
  const typed = text.trim()
  const lines = files.map(({ file, ...named }) => toAttachedLine({ ...named, bytes: file.size }))
  return [...(typed ? [typed] : []), ...lines].map((line) => ({ type: 'text', text: line }))
}
