import type { Clock } from '@offthread/core/host'
import {
  deletedSession,
  isKind,
  replacedOwner,
  type SessionQueues,
  type SessionStorage,
  StorageError,
} from '@offthread/core/storage'
import { messageOf } from '../message-of.ts'
import { withTimeout } from '../with-timeout.ts'
import { type Comparison, compare, headAt } from './compare.ts'
import type { Copy } from './copy.ts'
import { keepApart } from './keep-apart.ts'
import { isUnavailable } from './mark.ts'
import { sendDescription, sendRest } from './send.ts'
import type { Situation } from './situation.ts'

export interface CatchUpPorts {
  readonly remote: SessionStorage
  readonly local: SessionStorage
  readonly clock: Clock
  readonly newId: () => string
  /** Called when a session was kept apart, and waits for the server. */
  readonly onKept: (sessionId: string) => void
}

/** Brings the server up to date with a copy that was written without it. */
export interface CatchUp {
  /** Tries again and again until the server has everything, or another device has written the session. */
  readonly start: () => void
  /** Makes the first try, while the session is not read yet. */
  readonly startOpening: () => Promise<void>
}

/** Milliseconds between two looks for the server. */
const pauseMs = 2000
/** Milliseconds that an agent waits for the server while it opens a session: less than it waits for its storage. */
const openingMs = 7000
/** Milliseconds that an agent that writes waits for the server: a part of what it waits for its storage. */
const turnMs = 3000

const slowServer = new StorageError('unavailable', 'The server is slow.')

export function createCatchUp(
  ports: CatchUpPorts,
  situation: Situation,
  queues: SessionQueues,
): CatchUp {
  const { clock } = ports
  const { isOffline, sessionId } = situation
  let isRead = true

  /** Limits a step during which the agent cannot write. */
  const soon = <Answer>(answer: Promise<Answer>) =>
    withTimeout(answer, turnMs, { clock, late: () => slowServer })

  const isElsewhere = ({ isApart, hasMore }: Comparison) =>
    isApart || (hasMore && (isRead || !situation.claim()))

  async function once(): Promise<void> {
    const copy = situation.copy()
    if (!copy || !isOffline()) return
    const found = await compare(ports.remote, sessionId, copy)
    if (isElsewhere(found)) return part(copy, found)
    if (!situation.claim()) {
      await claimAgain(ports, situation)
      return once()
    }
    const head = await send({ ports, situation, copy }, found.shared)
    // Then sends what was written meanwhile. It is done in turn, so that nothing else is written before the server is
    // used again.
    await queues.run(sessionId, () => finish(copy, found, head))
  }

  async function finish(copy: Copy, found: Comparison, head: number): Promise<void> {
    const end = await soon(send({ ports, situation, copy }, head))
    if (isElsewhere(found)) return
    const all = found.hasMore ? await soon(headAt(ports.remote, sessionId)) : end
    if (!isOffline()) return
    situation.returnToServer(all)
    // The copy is marked only after that: the last events of a page that goes away before it still count as waiting.
    await markWhole(situation, copy)
  }

  async function part(before: Copy, first: Comparison): Promise<void> {
    // The part that takes long is done before its turn, because an agent that writes waits for that.
    if (first.isApart) await keepOwn({ ports, situation, copy: before }, first.shared)
    const keptAs = await queues.run(sessionId, async () => {
      const copy = situation.copy()
      if (!copy || !isOffline()) return undefined
      // Now the copy has what was being stored before.
      const found = await soon(compare(ports.remote, sessionId, copy))
      return isElsewhere(found) ? leave({ ports, situation, copy }, found) : undefined
    })
    if (keptAs !== undefined) ports.onKept(keptAs)
  }

  const { look, start } = createLooks(once, situation, clock)
  return {
    start,
    startOpening: async () => {
      isRead = false
      await withTimeout(look(), openingMs, { clock, late: () => slowServer }).catch(() => {})
      isRead = true
      start()
    },
  }
}

/** Repeats the tries until the server is used again or the session is lost. */
function createLooks(once: () => Promise<void>, situation: Situation, clock: Clock) {
  const { isOffline } = situation
  let isAtWork = false
  let looking: Promise<void> | null = null

  /** One try at a time: a late one would take what the next one has sent for the work of another device. */
  function look(): Promise<void> {
    looking ??= once().finally(() => {
      looking = null
    })
    return looking
  }

  function noteFailure(error: unknown): void {
    if (!isOffline()) return
    if (isKind(error, 'not_owner') || isKind(error, 'cleared')) situation.hold(null)
    // After a conflict the head has changed: the next try compares again.
    else if (!isUnavailable(error) && !isKind(error, 'conflict')) situation.refuse(refusal(error))
  }

  async function run(): Promise<void> {
    while (isOffline()) {
      await look().catch(noteFailure)
      if (isOffline()) await new Promise<void>((resolve) => clock.setTimer(pauseMs, resolve))
    }
    isAtWork = false
  }

  const start = () => {
    if (isAtWork || !isOffline()) return
    isAtWork = true
    void run()
  }
  return { look, start }
}

/** Why the server does not take what was done without it, although it answers. */
function refusal(cause: unknown): StorageError {
  return new StorageError(
    cause instanceof StorageError ? cause.kind : 'unknown',
    `What was done without the server cannot be brought there: ${messageOf(cause)} It stays on this device, all in order, and is tried again every 2 s. To have it elsewhere until then, export the session.`,
    { cause },
  )
}

/**
 * Marks that nothing in the copy waits any more. If there is no space for the mark, the copy is dropped: the server has
 * all of it.
 */
async function markWhole({ letGoOfCopy }: Situation, copy: Copy): Promise<void> {
  try {
    await copy.setMark({ known: null })
  } catch {
    letGoOfCopy()
    await copy.drop().catch(() => {})
    copy.release()
  }
}

/**
 * Claims the session again, because nothing was written elsewhere: another device may have claimed it, but has not used
 * it.
 */
async function claimAgain(
  { remote }: CatchUpPorts,
  { sessionId, isOver, hold }: Situation,
): Promise<void> {
  const free = await remote.claim(sessionId, 'if-free')
  const own = free ?? (await remote.claim(sessionId, 'take'))
  if (isOver()) own?.release()
  else hold(own)
}

interface Work {
  readonly ports: CatchUpPorts
  readonly situation: Situation
  readonly copy: Copy
}

/** Sends what the server does not have. Resolves with how many events it has then. */
async function send({ ports, situation, copy }: Work, shared: number): Promise<number> {
  const { sessionId, claim } = situation
  const own = claim()
  if (!own) throw replacedOwner()
  const sending = { ...ports, sessionId, copy }
  const isTitled = copy.known() === 0 || copy.mark()?.isTitled === true
  const head = await sendRest(sending, own, shared)
  await sendDescription(sending, isTitled).catch((error: unknown) => {
    // A list that is out of date is not worth an error, but a title that a person gave is.
    if (isTitled) throw error
  })
  return head
}

/**
 * The session has gone on without what is in the copy, so that is kept apart. Resolves with the session that keeps it.
 */
async function leave(
  { ports, situation, copy }: Work,
  { shared, isGone }: Comparison,
): Promise<string | undefined> {
  const keptAs = await keepOwn({ ports, situation, copy }, shared)
  situation.letGoOfCopy()
  // If the copy stays, the next try finds that it is kept apart already.
  await copy.drop().catch(() => {})
  situation.lose(isGone ? deleted(keptAs) : diverged(keptAs))
  return keptAs
}

async function keepOwn(
  { ports, situation: { sessionId }, copy }: Work,
  shared: number,
): Promise<string | undefined> {
  const own = await copy.read(shared)
  // An opening alone is not worth keeping.
  const isWorth = own.some(({ type }) => type !== 'session_opened')
  return isWorth ? keepApart({ ...ports, sessionId, copy }) : undefined
}

const elsewhere = 'The session went on elsewhere while this device could not reach its server.'

function diverged(keptAs: string | undefined): StorageError {
  const here = keptAs === undefined ? '' : ` What was done here is kept as the session "${keptAs}".`
  return new StorageError('diverged', elsewhere + here, { keptAs })
}

function deleted(keptAs: string | undefined): StorageError {
  if (keptAs === undefined) return deletedSession()
  return new StorageError(
    'cleared',
    `The session was deleted while this device could not reach its server. What this device has of it is kept as the session "${keptAs}".`,
    { keptAs },
  )
}
