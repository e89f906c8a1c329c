import type { DemoAgent, Kept } from '../agent.ts'
import type { DataStore } from '../tools/tables.ts'
import { readAttachedLine } from './attached-line.ts'
import type { PendingFile } from './attachments.ts'

/** The files of a chat. */
export interface KeptFiles {
  readonly add: (file: PendingFile) => void
  /** The file with this digest. */
  readonly find: (digest: string) => Promise<Blob | undefined>
}

/** Stores the files that are sent with messages beside their session, if there is one, and reads those that it has. */
export function keepFiles(
  { ready, getState }: Pick<DemoAgent, 'ready' | 'getState'>,
  kept: Kept | undefined,
  { addFile }: Pick<DataStore, 'addFile'>,
): KeptFiles {
  const byDigest = new Map<string, Blob>()
  const read = async (key: string) => kept?.storage.readBytes(kept.sessionId, key)
  const readAll = async () => {
    await ready
    for (const { role, content } of getState().messages) {
      for (const part of role === 'user' ? content : []) {
        const named = part.type === 'text' ? readAttachedLine(part.text) : undefined
        const file = named && (await read(keyOf(named)))
        if (named && file) addFile(named.name, file)
      }
    }
  }
  // A file that cannot be read counts as one that is not there, which the tools say.
  if (kept) readAll().catch((error: unknown) => console.warn(error))
  return {
    add: ({ name, file, digest }) => {
      addFile(name, file)
      if (digest !== undefined) byDigest.set(digest, file)
      kept?.storage
        .writeBytes(kept.sessionId, keyOf({ name, digest }), file)
        .catch((error: unknown) => console.warn(error))
    },
    find: async (digest) => byDigest.get(digest) ?? read(keyOf({ name: '', digest })),
  }
}

/** Two files may have one name. */
function keyOf({ name, digest }: { readonly name: string; readonly digest?: string | undefined }) {
  return `file:${digest ?? name}`
}
