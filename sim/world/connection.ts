import { storageTimeoutMs } from '../../packages/core/src/agent/session/in-time.ts'
import { isJsonObject, type Json } from '../../packages/core/src/internal/json.ts'
import type { DurableEvent } from '../../packages/core/src/kernel/events.ts'
import { isDerived } from '../../packages/core/src/storage/derived-bytes.ts'
import { createFollower } from '../../packages/core/src/storage/follower.ts'
import { memoryStorage } from '../../packages/core/src/storage/memory.ts'
import {
  type Position,
  type Redaction,
  type SessionStorage,
  StorageError,
} from '../../packages/core/src/storage/port.ts'
import type { AppendFault, AppendPlan, FilePlan, LoadPlan } from '../plan.ts'
import { createClaiming } from './claiming.ts'
import type { Disk } from './disk.ts'
import { createFiles, type Files } from './files.ts'
import { join } from './joining.ts'
import type { Visitor } from './origin.ts'
import { registeringIn } from './page-hide.ts'
import type { Scope, Timeline, Wait } from './timeline.ts'

export interface ConnectionOptions {
  readonly disk: Disk
  readonly timeline: Timeline
  readonly scope: Scope
  readonly visitor: Visitor
  readonly latencyMs: number
  readonly nextAppend: () => AppendPlan | undefined
  readonly nextLoad: () => LoadPlan['fault'] | undefined
  readonly nextFile: () => FilePlan | undefined
  /** Whether the next claim finds no space. */
  readonly isFullClaim: () => boolean
  readonly noteFault: (fault: AppendFault | LoadPlan['fault'] | FilePlan['fault']) => void
  /** A page was notified that a file is not stored. */
  readonly noteRefused: (key: string) => void
  /** Each event of an append is stored by itself, so that a crash may leave a part of the append. */
  readonly oneByOne: boolean
}

/** How one page reaches the disk. */
export interface Connection extends SessionStorage, Pick<Files, 'hasRefused'> {
  /** Writes what is still under way. */
  readonly flush: () => void
  /** Whether an append or a load is under way. */
  readonly isBusy: () => boolean
  /** How many events were confirmed to the page. */
  readonly acknowledged: () => number
  /** Whether no other page has claimed the session since this one did. */
  readonly isOwner: () => boolean
  /** Whether the page joined the session before it was deleted for the last time. */
  readonly isOfDeleted: () => boolean
  /** The page is asked to give the session away: it does nothing until that is done. */
  readonly isGivingWay: () => boolean
}

export function connect(options: ConnectionOptions): Connection {
  const { disk, latencyMs } = options
  const wait = createWait(options)
  const writing = createWriting(options, wait)
  const files = createFiles(options, wait)
  const claiming = createClaiming({ ...options, files }, wait)
  const { counted, isBusy } = createCounter()
  // How many events of which session: after a deletion it is another one.
  let safe = { count: 0, deletedAt: 0 }
  let gaveWay = 0
  let joinedAt = Number.POSITIVE_INFINITY

  const append = createAppend(options, wait, writing)
  const redacting = createRedacting(options, wait)

  return {
    ...memoryStorage(),
    read: async (_sessionId, from = 0) => {
      await counted(untilLoaded(options, wait))
      return disk.events().slice(from)
    },
    append: async (_sessionId, position, events) => {
      // A page that goes away has no time for anything that could fail.
      if (position.isLast) return disk.write(position, events)
      const deletedAt = disk.deletedAt()
      await counted(afterFiles(files, () => append(position, events)))
      safe = { count: position.head + events.length, deletedAt }
      disk.acknowledge(position, events.length)
    },
    readBytes: async (_sessionId, key) => {
      if (isDerived(key)) return undefined
      await counted(untilLoaded(options, wait))
      return disk.file(key)
    },
    hasRefused: files.hasRefused,
    follow: createFollowing(options, wait),
    connect: (sessionId, listener) => {
      // The list of sessions has a channel of its own, and is no session.
      if (sessionId !== 'session') return memoryStorage().connect(sessionId, listener)
      joinedAt = disk.lastEpoch()
      return join(options, (message) => {
        if (isRelease(message) && claiming.isOwner()) gaveWay = disk.epoch()
        listener(message)
      })
    },
    delete: async () => {
      await wait(latencyMs)
      disk.delete()
    },
    isOfDeleted: () => joinedAt < disk.deletedAt(),
    claim: (_sessionId, mode, signal) => {
      const claimed = claiming.claim(mode, signal)
      return mode === 'wait' ? claimed : counted(claimed)
    },
    isOwner: claiming.isOwner,
    isGivingWay: () => gaveWay === disk.epoch(),
    isBusy,
    acknowledged: () => (safe.deletedAt === disk.deletedAt() ? safe.count : 0),
    flush: writing.flush,
    redact: (_sessionId, ...asked) => counted(redacting(...asked)),
  }
}

/** Counts what is under way. */
function createCounter() {
  let waiting = 0

  async function counted<Value>(work: Promise<Value>): Promise<Value> {
    waiting += 1
    try {
      return await work
    } finally {
      waiting -= 1
    }
  }

  return { counted, isBusy: () => waiting > 0 }
}

/** Follows what is stored. */
function createFollowing(
  { disk, visitor, scope, latencyMs }: ConnectionOptions,
  wait: Wait,
): SessionStorage['follow'] {
  return (_sessionId, from, listener) => {
    // A follower asks in the same turn to be called when its page goes.
    registeringIn(scope)
    const read = async (next: number) => {
      await wait(latencyMs)
      return disk.events().slice(next)
    }
    const follower = createFollower(read, from, listener)
    const stop = disk.watch(() => visitor.deliver(follower.wake))
    return () => {
      stop()
      follower.stop()
    }
  }
}

/** Appends, with what the plan says of each. */
function createAppend(
  { disk, latencyMs, nextAppend, noteFault }: ConnectionOptions,
  wait: Wait,
  writing: ReturnType<typeof createWriting>,
) {
  return async (position: Position, events: readonly DurableEvent[]): Promise<void> => {
    const plan = nextAppend()
    const ms = plan?.ms ?? latencyMs
    if (plan) noteFault(plan.fault)
    switch (plan?.fault) {
      case undefined:
      case 'slow':
        return writing.later(ms, position, events)
      case 'lost':
        await wait(ms)
        throw new StorageError('unknown', 'The write was lost.')
      case 'unacknowledged':
        await writing.later(ms, position, events)
        throw new StorageError('unknown', 'The outcome is unknown.')
      case 'full':
        await wait(ms)
        throw new StorageError('full', 'There is no space.')
      case 'conflict':
        await wait(ms)
        disk.usurp()
        return disk.write(position, events)
      case 'hangs':
        return new Promise(() => {})
    }
  }
}

/** Events are stored after the files that they name. */
async function afterFiles(files: Files, append: () => Promise<void>): Promise<void> {
  const before = files.underWay()
  if (before) await before
  return append()
}

/** Redactions, which meet the same faults as appends. */
function createRedacting(
  { disk, latencyMs, nextAppend, noteFault }: ConnectionOptions,
  wait: Wait,
): (position: Position, redaction: Redaction) => Promise<void> {
  return async (position, redaction) => {
    const plan = nextAppend()
    if (plan) noteFault(plan.fault)
    await wait(plan?.ms ?? latencyMs)
    if (plan?.fault === 'hangs') return new Promise(() => {})
    if (plan?.fault === 'full') throw new StorageError('full', 'There is no space.')
    if (plan?.fault === 'lost') throw new StorageError('unknown', 'The write was lost.')
    if (plan?.fault === 'conflict') disk.usurp()
    disk.redact(position, redaction)
    if (plan?.fault === 'unacknowledged') {
      throw new StorageError('unknown', 'The outcome is unknown.')
    }
  }
}

function isRelease(message: Json): boolean {
  return isJsonObject(message) && message['say'] === 'release'
}

/** What happens to a load. */
async function untilLoaded(
  { nextLoad, noteFault, latencyMs }: ConnectionOptions,
  wait: Wait,
): Promise<void> {
  const fault = nextLoad()
  if (fault) noteFault(fault)
  if (fault === 'load_fails') throw new StorageError('unknown', 'It cannot be read.')
  if (fault === 'load_slow') return wait(50)
  if (fault === undefined) return wait(latencyMs)
  // The page has stopped waiting by now, so the connection does not count as busy.
  await wait(storageTimeoutMs + 1)
  throw new StorageError('unknown', 'No answer.')
}

/** A wait of a page that is gone never ends. */
function createWait({ timeline, scope }: ConnectionOptions): Wait {
  return async (ms) => {
    if (ms > 0) await new Promise<void>((resolve) => timeline.after(ms, resolve, scope))
    else await Promise.resolve()
    if (scope.gone) await new Promise(() => {})
  }
}

/** Appends that take time; the page may be gone before they end. */
function createWriting({ disk, oneByOne }: ConnectionOptions, wait: Wait) {
  const underWay = new Set<() => void>()

  async function later(
    ms: number,
    { head: first, epoch }: Position,
    events: readonly DurableEvent[],
  ) {
    const rest = [...events]
    let head = first
    const flush = (): void => {
      disk.write({ head, epoch }, rest)
      rest.length = 0
    }
    underWay.add(flush)
    try {
      while (oneByOne && rest.length > 1) {
        await wait(ms)
        disk.write({ head, epoch }, rest.splice(0, 1))
        head += 1
      }
      await wait(ms)
      flush()
    } finally {
      underWay.delete(flush)
    }
  }

  return {
    later,
    flush: (): void => {
      for (const write of underWay) attempt(write)
      underWay.clear()
    },
  }
}

/** A write that comes too late changes nothing. */
function attempt(write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
}
