import type { Message } from '@offthread/core'
import type { DemoAgent, Kept } from '../agent.ts'
import type { DataStore } from '../tools/tables.ts'
import { type AttachedFile, filesIn, toAttachedLine } from './attached-line.ts'
import type { PendingFile } from './attachments.ts'

/** The files of a chat. */
export interface KeptFiles {
  readonly add: (file: PendingFile) => void
  /** Resolves when the added files are stored, so that other tabs find them, or when they cannot be. */
  readonly written: () => Promise<unknown>
  /** The file with this digest. */
  readonly find: (digest: string) => Promise<Blob | undefined>
}

/**
 * Stores the files that are sent with messages beside their session, if there is one, and reads those that it has: from
 * before, and those that other tabs send.
 */
export function keepFiles(
  agent: Pick<DemoAgent, 'ready' | 'getState' | 'subscribe'>,
  kept: Kept | undefined,
  { addFile, expectFiles }: Pick<DataStore, 'addFile' | 'expectFiles'>,
): KeptFiles {
  const byDigest = new Map<string, Blob>()
  /** What this page has added, as the message will name it. */
  const own: string[] = []
  let writing: Promise<unknown> = Promise.resolve()
  let reading: Promise<unknown> = Promise.resolve()
  const read = async (key: string) => kept?.storage.readBytes(kept.sessionId, key)

  async function take(named: AttachedFile): Promise<void> {
    const file = await read(keyOf(named))
    if (file) addFile(named.name, file)
  }

  /** Reads files one after the other: of two with one name the last one counts. */
  function takeAll(find: () => Promise<readonly AttachedFile[]>): void {
    reading = reading.then(async () => {
      // A file that cannot be read counts as one that is not there, and the tools report that.
      for (const named of await find().catch(() => [])) await take(named).catch(console.warn)
    })
    expectFiles(reading)
  }

  function isOwn(named: AttachedFile): boolean {
    const at = own.indexOf(toAttachedLine(named))
    if (at >= 0) own.splice(at, 1)
    return at >= 0
  }

  if (kept) {
    takeAll(async () => {
      await agent.ready
      return agent.getState().messages.flatMap(filesOf)
    })
    agent.subscribe((event) => {
      if (event.type !== 'message_end' || event.agentId !== undefined) return
      const others = filesOf(event.message).filter((named) => !isOwn(named))
      if (others.length > 0) takeAll(async () => others)
    })
  }
  return {
    add: (sent) => {
      const { name, file, digest } = sent
      addFile(name, file)
      if (digest !== undefined) byDigest.set(digest, file)
      if (!kept) return
      own.push(toAttachedLine({ ...sent, bytes: file.size }))
      const write = kept.storage.writeBytes(kept.sessionId, keyOf(sent), file)
      writing = Promise.all([writing, write.catch(console.warn)])
    },
    written: () => writing,
    find: async (digest) => byDigest.get(digest) ?? read(keyOf({ name: '', digest })),
  }
}

function filesOf({ role, content }: Message): readonly AttachedFile[] {
  return role === 'user' ? filesIn(content) : []
}

/** Two files may have one name. */
function keyOf({ name, digest }: Pick<PendingFile, 'name' | 'digest'>): string {
  return `file:${digest ?? name}`
}
