import { loadSession } from '../../packages/core/src/agent/session/load-session.ts'
import { redactStored } from '../../packages/core/src/agent/session/redact-stored.ts'
import { keepSnapshots } from '../../packages/core/src/agent/session/snapshots.ts'
import { createDeferred } from '../../packages/core/src/internal/deferred.ts'
import {
  type AgentEvent,
  type DurableEvent,
  isDurable,
} from '../../packages/core/src/kernel/events.ts'
import { fold } from '../../packages/core/src/kernel/fold.ts'
import { redactionOf } from '../../packages/core/src/kernel/redaction-target.ts'
import { emptyState, type State } from '../../packages/core/src/kernel/state.ts'
import { memoryStorage } from '../../packages/core/src/storage/memory.ts'
import type { Claim, SessionStorage } from '../../packages/core/src/storage/port.ts'
import type { BrokenRule } from '../judge.ts'
import type { Random } from '../world/random.ts'
import { differences } from './differences.ts'

const sessionId = 'session'

/** A session that goes on while its owner keeps snapshots of it, as it was played. */
export interface Played {
  /** With what is not stored. */
  readonly live: readonly AgentEvent[]
  readonly random: Random
}

/**
 * The rules that are broken by keeping snapshots while a session goes on, while its appends are late, a message of it is
 * redacted, and another owner takes it.
 */
export async function brokenByKeeping({ live, random }: Played): Promise<readonly BrokenRule[]> {
  const broken: BrokenRule[] = []
  const storage = memoryStorage()
  const claim = await claimed(storage, 'if-free')
  const owner = await openOwner({ storage, claim, random, broken })
  for (const event of live) {
    owner.see(event)
    if (random() < 0.2) owner.store()
    if (random() < 0.2) owner.passTime()
    if (random() < 0.3) await owner.moment()
  }
  owner.store()
  owner.passTime()
  await owner.untilKeeping()
  const next = random() < 0.5 ? claim : await claimed(storage, 'take')
  // An owner that redacts ends its snapshots first; one that was replaced is still keeping some.
  if (next === claim) {
    owner.stop()
    await owner.rest()
  }
  await redactSomething({ storage, claim: next, random })
  await owner.rest()
  const heir = await openOwner({ storage, claim: next, random, broken })
  heir.passTime()
  await heir.rest()
  return broken
}

interface Opening {
  readonly storage: SessionStorage
  readonly claim: Claim
  readonly random: Random
  readonly broken: BrokenRule[]
}

/** The part of an owner that keeps snapshots, and all that they depend on. */
async function openOwner(opening: Opening) {
  const { storage, broken } = opening
  const loaded = await loadSession(storage, sessionId)
  const listeners = new Set<(event: AgentEvent) => void>()
  const log: DurableEvent[] = []
  const timers = new Set<() => void>()
  const storing = createStoring(opening, loaded.state.nextSeq)
  const keeping = createKeeping(opening)
  let { state } = loaded
  const snapshots = keepSnapshots(
    {
      clock: {
        setTimer: (_, callback) => {
          timers.add(callback)
          return () => timers.delete(callback)
        },
      },
      ports: {
        log,
        state: () => state,
        subscribe: (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
    },
    { ...{ loaded, claim: keeping, stored: storing.stored }, minEvents: 1 },
  )
  return {
    see: (event: AgentEvent): void => {
      state = fold(state, event)
      if (isDurable(event)) {
        log.push(event)
        storing.add(event)
      }
      for (const listener of listeners) listener(event)
    },
    store: storing.store,
    passTime: (): void => {
      const due = [...timers]
      timers.clear()
      for (const callback of due) callback()
    },
    /** Lets the snapshot that was begun go on, as far as it can. */
    moment: async (): Promise<void> => {
      if (!storing.isAwaited()) await snapshots.settled()
    },
    /** Lets the snapshot that was begun go on until its bytes are to be kept. */
    untilKeeping: (): Promise<unknown> => Promise.race([keeping.held(), snapshots.settled()]),
    stop: snapshots.stop,
    rest: async (): Promise<void> => {
      keeping.goOn()
      storing.store()
      await snapshots.settled()
      const expected = (await storage.read(sessionId)).reduce(fold, emptyState(sessionId))
      const { state: opened } = await loadSession(storage, sessionId)
      const other = differences(expected, opened)
      if (other.length > 0) broken.push({ rule: 'D39', why: `it opens with another ${other}` })
    },
  }
}

/** Appends that end when the test says so. */
function createStoring({ storage, claim: { epoch } }: Opening, from: number) {
  let head = from
  let late: DurableEvent[] = []
  let waiting: (() => void)[] = []
  return {
    add: (event: DurableEvent): void => void late.push(event),
    stored: async (): Promise<void> => {
      if (late.length > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    isAwaited: (): boolean => waiting.length > 0,
    store: (): void => {
      const [events, expected] = [late, waiting]
      late = []
      waiting = []
      if (events.length > 0) void storage.append(sessionId, { head, epoch }, events)
      head += events.length
      for (const resolve of expected) resolve()
    },
  }
}

/**
 * Keeps bytes under the claim, and checks them: they may hold only what is stored, and an opening must be able to use
 * them.
 */
function createKeeping({ storage, claim, broken }: Opening) {
  let reached = createDeferred<void>()
  let held: ReturnType<typeof createDeferred<void>> | null = null

  async function judge(stored: readonly DurableEvent[], key: string, data: Blob): Promise<void> {
    // The check uses another storage, so that nothing that comes meanwhile changes it.
    const copy = memoryStorage()
    await copy.append(sessionId, { head: 0, epoch: 0 }, stored)
    await copy.writeBytes(sessionId, key, data)
    const { state, covered } = await loadSession(copy, sessionId)
    const other = differences(stored.reduce(fold, emptyState(sessionId)), state)
    if (covered > 0 && other.length === 0) return
    const why = `of ${stored.length} events a snapshot is kept that covers ${covered}, with another ${other}`
    broken.push({ rule: 'D39', why })
  }

  return {
    keepBytes: async (key: string, data: Blob | null): Promise<void> => {
      reached.resolve()
      await held?.promise
      const stored = await storage.read(sessionId)
      await claim.keepBytes(key, data)
      if (data) await judge(stored, key, data)
    },
    /** Resolves when bytes are to be kept, which are not before `goOn`. */
    held: (): Promise<void> => {
      reached = createDeferred()
      held = createDeferred()
      return reached.promise
    },
    goOn: (): void => held?.resolve(),
  }
}

async function claimed(storage: SessionStorage, mode: 'if-free' | 'take'): Promise<Claim> {
  const claim = await storage.claim(sessionId, mode)
  if (!claim) throw new Error('The session is free.')
  return claim
}

/** Removes a message from what is stored, if there is one and no run is active. */
async function redactSomething({
  storage,
  claim: { epoch },
  random,
}: Omit<Opening, 'broken'>): Promise<void> {
  const { redact } = storage
  const { state } = await loadSession(storage, sessionId)
  const ids = messageIdsOf(state)
  const messageId = ids[Math.floor(random() * ids.length)]
  const target = messageId === undefined ? 'unknown' : redactionOf(state, messageId)
  if (!redact || typeof target === 'string') return
  await redactStored({ ...storage, redact }, { target, state, epoch, origin: { ts: 0 } })
}

function messageIdsOf({ head }: State): readonly string[] {
  const ids: string[] = []
  for (let node = head; node; node = node.parent) ids.push(node.message.id)
  return ids
}
