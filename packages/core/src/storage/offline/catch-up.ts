import type { Clock } from '../../internal/clock.ts'
import { withTimeout } from '../../internal/with-timeout.ts'
import { isKind, type SessionStorage, StorageError } from '../port.ts'
import { deletedSession, replacedOwner } from '../position.ts'
import type { Turns } from '../turns.ts'
import { type Comparison, compare, headAt } from './compare.ts'
import type { Copy } from './copy.ts'
import { keepApart } from './keep-apart.ts'
import { sendDescription, sendRest } from './send.ts'
import type { Situation } from './situation.ts'

export interface CatchUpPorts {
  readonly remote: SessionStorage
  readonly local: SessionStorage
  readonly clock: Clock
  readonly newId: () => string
  /** A session was kept apart, and waits for the server. */
  readonly onKept: (sessionId: string) => void
}

/** Brings the server up to date with a copy that was written without it. */
export interface CatchUp {
  /** Looks for the server until it has everything, or another one has written the session. */
  readonly start: () => void
  /** Tries it once before, while the session is not read yet. */
  readonly startOpening: () => Promise<void>
}

/** Milliseconds between two looks for the server. */
const pauseMs = 2000
/** Milliseconds that an agent that opens a session waits for it: less than for its storage. */
const openingMs = 7000

export function createCatchUp(ports: CatchUpPorts, situation: Situation, turns: Turns): CatchUp {
  const { clock } = ports
  const { isOffline, isOver, sessionId } = situation
  let isRead = true
  let isAtWork = false

  const isElsewhere = ({ isApart, hasMore }: Comparison) =>
    isApart || (hasMore && (isRead || !situation.claim()))

  async function once(): Promise<void> {
    const copy = situation.copy()
    if (!copy || isOver()) return
    const found = await compare(ports.remote, sessionId, copy)
    if (isElsewhere(found)) return part()
    if (!situation.claim()) {
      await claimAgain(ports, situation)
      return once()
    }
    const head = await send({ ports, situation, copy }, found.shared)
    // What came meanwhile. Then nothing can come before the server is used again.
    await turns.take(sessionId, async () => {
      const end = await send({ ports, situation, copy }, head)
      if (isElsewhere(found)) return
      const all = found.hasMore ? await headAt(ports.remote, sessionId) : end
      await copy.setMark({ known: null })
      if (!isOver()) situation.returnToServer(all)
    })
  }

  async function part(): Promise<void> {
    const keptAs = await turns.take(sessionId, async () => {
      const copy = situation.copy()
      if (!copy || isOver()) return undefined
      // Now it has what was being stored before.
      const found = await compare(ports.remote, sessionId, copy)
      return isElsewhere(found) ? leave({ ports, situation, copy }, found) : undefined
    })
    if (keptAs !== undefined) ports.onKept(keptAs)
  }

  async function run(): Promise<void> {
    while (isOffline()) {
      await once().catch((error: unknown) => {
        const isLost = isKind(error, 'not_owner') || isKind(error, 'cleared')
        if (isLost && isOffline()) situation.hold(null)
      })
      if (isOffline()) await new Promise<void>((resolve) => clock.setTimer(pauseMs, resolve))
    }
    isAtWork = false
  }

  const start = () => {
    if (isAtWork || !isOffline()) return
    isAtWork = true
    void run()
  }
  return {
    start,
    startOpening: async () => {
      isRead = false
      const late = () => new StorageError('unavailable', 'The server is slow.')
      await withTimeout(once(), openingMs, { clock, late }).catch(() => {})
      isRead = true
      start()
    },
  }
}

/** Nothing was written elsewhere: who has claimed the session meanwhile has not done anything with it. */
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
  const isNew = copy.known() === 0
  const head = await sendRest(sending, own, shared)
  // A list that is not true any more is not worth an error.
  await sendDescription(sending, isNew).catch(() => {})
  return head
}

/** The session has gone on without what is here. Resolves with the session as which that is kept. */
async function leave(
  { ports, situation, copy }: Work,
  { shared, isGone }: Comparison,
): Promise<string | undefined> {
  const own = await copy.read(shared)
  // That it was opened here is nothing to keep.
  const isWorth = own.some(({ type }) => type !== 'session_opened')
  const { sessionId } = situation
  const keptAs = isWorth ? await keepApart({ ...ports, sessionId, copy }) : undefined
  situation.letGoOfCopy()
  // One that stays is found to be kept already.
  await copy.drop().catch(() => {})
  situation.lose(isGone ? deleted(keptAs) : diverged(keptAs))
  return keptAs
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
