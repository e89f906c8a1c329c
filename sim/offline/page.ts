import { appendOnce } from '../../packages/core/src/runtime/append-once.ts'
import {
  type Claim,
  type SessionStorage,
  StorageError,
} from '../../packages/core/src/storage/port.ts'
import type { Client } from '../devices/network.ts'
import type { Random } from '../world/random.ts'
import type { Scope } from '../world/timeline.ts'
import type { Disk } from './disk.ts'
import type { OfflineJudge, Writing } from './offline-judge.ts'

/** A page on a device, which may be loaded again. */
export interface Page {
  readonly name: string
  readonly storage: SessionStorage
  readonly scope: Scope
  readonly disk: Disk
  readonly client: Client
  readonly random: Random
  readonly pause: (ms: number) => Promise<void>
  readonly judge: OfflineJudge
  readonly again: () => Page
}

/** A claim, how far its holder believes the log to be, and what it was told of it. */
interface Own {
  readonly claim: Claim
  readonly writing: Writing
  readonly isOffline: () => boolean
  head: number
}

/** What each page does before it comes to rest. */
const deeds = 22
/** Longer than a page waits for its server. */
const longMs = 12_000

/** Does by chance what people do with a page, and gives the session back. */
export async function work(first: Page): Promise<void> {
  let page = first
  let own: Own | null = null
  for (let deed = 0; deed < deeds; deed += 1) {
    const { client, random, pause } = page
    await pause(random() * 400)
    if (own?.claim.lost.aborted) own = lost(page, own)
    const drawn = random()
    if (drawn < 0.1) client.cut(random() < 0.6 ? longMs + random() * 20_000 : random() * 2000)
    else if (drawn < 0.16) await pause(longMs + random() * 10_000)
    else if (drawn < 0.2 && own) own = released(own)
    else if (drawn < 0.28) {
      leave(page, own)
      own = null
      page = page.again()
    } else if (!own) own = await claim(page)
    else own = await write(page, own)
  }
  if (own) released(own)
  // All cuts are over by then, and what waits has been sent.
  await page.pause(6 * longMs)
  leave(page, null)
}

/** Opens every session that the device has. */
export async function comeToRest(page: Page): Promise<void> {
  const { storage, pause } = page
  const there = await patiently(() => storage.list())
  for (const sessionId of new Set(['s', ...there.map((entry) => entry.sessionId)])) {
    const own = await patiently(() => storage.claim(sessionId, 'take'))
    await patiently(async () => own?.confirm())
    await pause(longMs)
    own?.release()
  }
  await pause(longMs)
}

/** An answer may be late. */
export async function patiently<Answer>(work: () => Promise<Answer>, tries = 5): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (tries === 0) throw error
    return patiently(work, tries - 1)
  }
}

async function claim(page: Page): Promise<Own | null> {
  const { storage, random, judge, name } = page
  try {
    const made = await storage.claim('s', random() < 0.6 ? 'if-free' : 'take')
    if (!made) return null
    let isOffline = false
    made.watchOffline?.((now) => {
      isOffline = now
    })
    const { length: head } = await storage.read('s')
    return {
      claim: made,
      writing: judge.writes(name),
      isOffline: () => isOffline,
      head,
    }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return null
  }
}

/** Returns what is owned after that: nothing, if it failed. */
async function write({ storage, random, judge }: Page, own: Own): Promise<Own | null> {
  const { claim: made, head, writing } = own
  const events = writing.events(head, 1 + Math.floor(random() * 3))
  try {
    await appendOnce({ storage, sessionId: 's', position: { head, epoch: made.epoch } }, events)
    writing.acknowledged(events)
    own.head += events.length
    return own
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    if (error.kind === 'conflict')
      judge.broken('K18', `an owner found other events: ${error.message}`)
    return released(own)
  }
}

function lost({ judge }: Page, own: Own): null {
  const reason: unknown = own.claim.lost.reason
  if (reason instanceof StorageError && reason.keptAs) judge.keptAs(reason.keptAs)
  return released(own)
}

function released({ claim: { release } }: Own): null {
  release()
  return null
}

/** The page goes away, and hands over what it has. */
function leave({ storage, scope, disk, client }: Page, own: Own | null): void {
  if (own) {
    const { claim: made, head, writing } = own
    const events = writing.events(head, 1)
    const isOffline = own.isOffline() && !made.lost.aborted
    storage.append('s', { head, epoch: made.epoch, isLast: true }, events).then(
      () => isOffline && writing.acknowledged(events),
      () => {},
    )
  }
  client.leave()
  scope.gone = true
  disk.leave(scope)
}
