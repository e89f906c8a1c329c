import { type Claim, type SessionStorage, StorageError } from '@offthread/core/storage'
import type { Copy } from './copy.ts'
import { entryIn } from './mark.ts'

interface Sending {
  readonly remote: SessionStorage
  readonly local: SessionStorage
  readonly sessionId: string
  readonly copy: Copy
}

/** How many events are sent at once. */
const pageSize = 500

/**
 * Sends the server, under a claim, the files and then the events that it does not have. Resolves with how many events
 * it then has.
 */
export async function sendRest(
  { remote, sessionId, copy }: Sending,
  { epoch, keepBytes }: Pick<Claim, 'epoch' | 'keepBytes'>,
  shared: number,
): Promise<number> {
  for (const key of await copy.unsent()) {
    await keepBytes(key, (await copy.readFile(key)) ?? null)
    await copy.fileSent(key)
  }
  let head = shared
  while (head < copy.head()) {
    const events = await copy.read(head, Math.min(head + pageSize, copy.head()))
    if (events.length === 0) throw lostHere(head)
    await remote.append(sessionId, { head, epoch }, events)
    head += events.length
  }
  return head
}

function lostHere(head: number): StorageError {
  return new StorageError('damaged', `This device does not have event ${head} any more.`)
}

/** Sends the server the title, topic and status of the session. `isTitled`: the title was given here. */
export async function sendDescription(
  { remote, local, sessionId }: Sending,
  isTitled: boolean,
): Promise<void> {
  const { title, topic, status } = entryIn(await local.list(sessionId), sessionId) ?? {}
  await remote.describe(sessionId, {
    // A title that was given elsewhere meanwhile stays.
    ...(isTitled && title !== undefined && { title }),
    ...(topic !== undefined && { topic }),
    ...(status !== undefined && { status }),
  })
}
