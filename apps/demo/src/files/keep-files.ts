import type { DemoAgent, Kept } from '../agent.ts'
import type { DataStore } from '../tools/tables.ts'
import { readAttachedLine } from './attached-line.ts'

/** Stores the files that are sent with messages beside their session, and reads those of a stored session. */
export function keepFiles(
  { ready, getState }: Pick<DemoAgent, 'ready' | 'getState'>,
  { storage, sessionId }: Kept,
  { addFile }: Pick<DataStore, 'addFile'>,
): (name: string, file: Blob) => void {
  const keyOf = (name: string) => `file:${name}`
  const readAll = async () => {
    await ready
    for (const { role, content } of getState().messages) {
      for (const part of role === 'user' ? content : []) {
        const name = part.type === 'text' ? readAttachedLine(part.text)?.name : undefined
        const file = name && (await storage.readBytes(sessionId, keyOf(name)))
        if (name && file) addFile(name, file)
      }
    }
  }
  // A file that cannot be read counts as one that is not there, which the tools say.
  readAll().catch((error: unknown) => console.warn(error))
  return (name, file) => {
    storage.writeBytes(sessionId, keyOf(name), file).catch((error: unknown) => console.warn(error))
  }
}
