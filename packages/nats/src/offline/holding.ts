import type { DurableEvent } from '@offthread/core'
import {
  type AppendPosition,
  type Claim,
  createSessionQueues,
  type Redaction,
  replacedOwner,
  type SessionDescription,
  StorageError,
} from '@offthread/core/storage'
import { type CatchUpPorts, createCatchUp } from './catch-up.ts'
import { isUnavailable } from './mark.ts'
import { inPatience } from './patience.ts'
import { createSituation, type Situation, type SituationOptions } from './situation.ts'

/** A session that this page owns: at the server as long as that can be reached, else on this device. */
export interface Holding extends Claim {
  /** Whether appended events are kept on this device only. */
  readonly isOffline: () => boolean
  readonly append: (position: AppendPosition, events: readonly DurableEvent[]) => Promise<void>
  readonly redact: (head: number, redaction: Redaction) => Promise<void>
  readonly describe: (description: SessionDescription) => Promise<void>
  /** Keeps a file on this device that the server has, too. */
  readonly cache: (key: string, data: Blob | null) => void
  /** Brings the server up to date. `isOpening`: a first try is made before the session is read. */
  readonly catchUp: (isOpening: boolean) => Promise<void>
}

const yes = () => true
const no = () => false

interface Batch {
  readonly position: AppendPosition
  readonly events: readonly DurableEvent[]
}

interface HoldingOptions extends Omit<SituationOptions, 'remote' | 'local'> {
  readonly epoch: number
}

export function createHolding(ports: CatchUpPorts, options: HoldingOptions): Holding {
  const { local } = ports
  const { sessionId, epoch } = options
  const situation = createSituation({ ...ports, ...options })
  const { claim, copy, mirror, isOffline, isOver, lost } = situation
  const queues = createSessionQueues()
  const inTurn: InTurn = (work) => queues.run(sessionId, work)
  const { start, startOpening } = createCatchUp(ports, situation, queues)

  /**
   * Goes on without the server. `known`: how many events it has. Resolves with `false` if this device lacks some of
   * them.
   */
  async function leaveServer(known: number): Promise<boolean> {
    if (isOffline()) return true
    const own = copy()
    const isWhole = await mirror()?.isWholeAt(known)
    if (!isWhole || copy() !== own || isOver()) return false
    // The mark is stored first, because the last events of a page cannot wait for it.
    const isMarked = await own?.markWaiting().then(yes, no)
    if (!isMarked || copy() !== own || isOver()) return false
    situation.leaveServer()
    local.lasts?.('ask').catch(() => {})
    return true
  }

  async function append(position: AppendPosition, events: readonly DurableEvent[]) {
    throwIfLost(situation)
    if (isOffline()) return appendHere(situation, position, events)
    try {
      await appendThere(ports, situation, { position, events })
    } catch (error) {
      if (!isUnavailable(error) || !(await leaveServer(position.head))) throw error
      // The events are kept here before the next try at the server, which may have got them already.
      return appendHere(situation, position, events).finally(start)
    }
    situation.note(position.head, events)
  }

  const leaveForFile = () => inTurn(() => leaveServer(mirror()?.end() ?? 0).finally(start))

  return {
    ...{ epoch, lost, isOffline, watchOffline: situation.watchOffline },
    catchUp: async (isOpening) => (isOpening ? startOpening() : start()),
    unconfirmed: (options.claim ?? options.copy)?.unconfirmed ?? 0,
    confirm: async () => {
      await Promise.all([claim()?.confirm(), copy()?.confirm()])
    },
    release: situation.close,
    append: (position, events) =>
      position.isLast
        ? appendLast(ports, situation, { position, events })
        : inTurn(() => append(position, events)),
    keepBytes: (key, data) =>
      keepFile(situation, { key, data }, { inTurn, leaveServer: leaveForFile }),
    cache: (key, data) =>
      void copy()
        ?.cache(key, data)
        .catch(() => {}),
    describe: (description) => inTurn(() => describeBoth(ports, situation, description)),
    redact: (head, redaction) =>
      inTurn(async () => {
        if (isOffline()) throw needsServer('Removing content')
        await redactBoth(ports, situation, { head, redaction })
      }),
  }
}

function throwIfLost({ isOver, lost }: Situation): void {
  if (!isOver() || !lost.aborted) return
  throw lost.reason instanceof StorageError ? lost.reason : replacedOwner()
}

async function appendThere(
  { remote, clock }: CatchUpPorts,
  { sessionId, claim }: Situation,
  { position, events }: Batch,
): Promise<void> {
  const appended = remote.append(sessionId, { ...position, epoch: claim()?.epoch ?? 0 }, events)
  await inPatience(appended, clock)
}

/** The last events of a page go to the server and to this device, where they are safe if the server is away. */
async function appendLast(
  { remote }: CatchUpPorts,
  { sessionId, claim, copy, mirror, isOffline }: Situation,
  { position, events }: Batch,
): Promise<void> {
  const held = claim()
  const known = copy()?.mark()?.known ?? position.head
  const before = isOffline() ? [] : (mirror()?.missing(position.head) ?? null)
  const from = position.head - (before?.length ?? 0)
  const here = before && copy()?.handOver(from, [...before, ...events], known)
  if (isOffline() || !held) return here ?? undefined
  here?.catch(() => {})
  return remote.append(sessionId, { ...position, epoch: held.epoch }, events)
}

async function appendHere(
  { copy }: Situation,
  position: AppendPosition,
  events: readonly DurableEvent[],
): Promise<void> {
  const own = copy()
  if (!own) throw replacedOwner()
  await own.markWaiting()
  await own.append(position, events)
}

/** Does work after what the holding was asked for before. */
type InTurn = <Outcome>(work: () => Promise<Outcome>) => Promise<Outcome>

interface FileWays {
  readonly inTurn: InTurn
  /** Resolves with `true` if the session goes on without the server. */
  readonly leaveServer: () => Promise<boolean>
}

/** Keeps a file here first, so that it is nowhere missing if the page ends before the server has it. */
async function keepFile(
  situation: Situation,
  { key, data }: { readonly key: string; readonly data: Blob | null },
  { inTurn, leaveServer }: FileWays,
): Promise<void> {
  const { claim, copy, isOffline } = situation
  // Done in turn: a file that is kept here while the server comes into use again would wait until the session is next
  // opened.
  const isHere = isOffline() && (await inTurn(() => keepFileHere(situation, key, data)))
  if (isHere) return
  throwIfLost(situation)
  const own = copy()
  const isKept = own?.keepFile(key, data).then(yes, no)
  try {
    await claim()?.keepBytes(key, data)
    if (await isKept) await own?.fileSent(key).catch(() => {})
  } catch (error) {
    if (isUnavailable(error) && (await isKept) && (await leaveServer())) return
    await own?.dropFile(key).catch(() => {})
    throw error
  }
}

/** Keeps a file for the server. Resolves with `false` if the server is in use again. */
async function keepFileHere(
  { copy, isOffline }: Situation,
  key: string,
  data: Blob | null,
): Promise<boolean> {
  const own = copy()
  if (!own || !isOffline()) return false
  await own.keepFile(key, data)
  return true
}

/**
 * Changes what lists show of the session, here and at the server. While the server is away, the change waits for it.
 */
async function describeBoth(
  { remote, local }: CatchUpPorts,
  { sessionId, copy, isOffline }: Situation,
  description: SessionDescription,
): Promise<void> {
  if (!isOffline()) {
    await remote.describe(sessionId, description)
    await local.describe(sessionId, description).catch(() => {})
    return
  }
  await local.describe(sessionId, description)
  const own = copy()
  if (own && description.title !== undefined) {
    await own.setMark({ known: 0, ...own.mark(), isTitled: true })
  }
}

/** Removes content at the server and from the copy. If that fails here, the whole copy is dropped. */
async function redactBoth(
  { remote }: CatchUpPorts,
  { sessionId, claim, mirror, letGoOfCopy, noteEnd }: Situation,
  { head, redaction }: { readonly head: number; readonly redaction: Redaction },
): Promise<void> {
  try {
    await remote.redact?.(sessionId, { head, epoch: claim()?.epoch ?? 0 }, redaction)
    noteEnd(head + redaction.added.length)
    await mirror()?.redact(head, redaction)
  } catch (error) {
    await letGoOfCopy()?.drop()
    throw error
  }
}

/** The error for something that cannot be done on this device alone. */
export function needsServer(what: string): StorageError {
  return new StorageError(
    'unavailable',
    `${what} needs the server of the storage, which cannot be reached. Try again when it can.`,
  )
}
