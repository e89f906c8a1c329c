import { type Clock, platformClock } from '@offthread/core/host'
import {
  type Claim,
  type ClaimMode,
  isDerived,
  replacedOwner,
  type SessionStorage,
} from '@offthread/core/storage'
import { randomId } from '../random-id.ts'
import type { CatchUpPorts } from './catch-up.ts'
import { compare, headAt } from './compare.ts'
import { type Copy, openCopy } from './copy.ts'
import { createHolding, type Holding, needsServer } from './holding.ts'
import { createOfflineList, createOfflineRead } from './looks.ts'
import { isUnavailable, unsentKey } from './mark.ts'
import { inPatience } from './patience.ts'

/**
 * A storage at a server that can be away. Meanwhile the owner goes on with a copy on this device, and the server gets
 * the rest when it is back. If another device has written the session meanwhile, what was done here is kept as a
 * session of its own.
 *
 * @example
 * ```ts
 * import { indexedDb } from '@offthread/core/indexeddb'
 * import { nats } from '@offthread/nats'
 *
 * const storage = alsoOffline(nats({ connect }), indexedDb())
 * const agent = createAgent({ model, storage, sessionId: 'notes' })
 * ```
 */
export function alsoOffline(remote: SessionStorage, local: SessionStorage): SessionStorage {
  return createAlsoOffline({ remote, local, newId: randomId, clock: platformClock })
}

export interface OfflineOptions {
  readonly remote: SessionStorage
  readonly local: SessionStorage
  readonly clock: Clock
  readonly newId: () => string
}

/** `alsoOffline` with time and ids of one's own: for tests. */
export function createAlsoOffline(options: OfflineOptions): SessionStorage {
  const { remote, local } = options
  /** By session: the last holding of this page. */
  const held = new Map<string, Holding>()
  const isOffline = (sessionId: string) => held.get(sessionId)?.isOffline() ?? false
  const claim = createClaim(options, held)
  const read = createOfflineRead(options, isOffline)

  /** The holding with this epoch; `null`: the epoch is of a claim at the server. */
  function holdingAt(sessionId: string, epoch: number): Holding | null {
    const holding = held.get(sessionId)
    if (!holding || epoch === 0) return null
    if (holding.epoch !== epoch) throw replacedOwner()
    return holding
  }

  return {
    ...{ claim, read },
    append: async (sessionId, position, events) => {
      const holding = holdingAt(sessionId, position.epoch)
      return holding ? holding.append(position, events) : remote.append(sessionId, position, events)
    },
    // The methods are called on their object and not copied: those of a class need it.
    follow: (...asked) => remote.follow(...asked),
    connect: (...asked) => remote.connect(...asked),
    list: createOfflineList(options, () => [...held.keys()].some(isOffline)),
    describe: async (sessionId, description) => {
      const holding = held.get(sessionId)
      await (holding ? holding.describe(description) : remote.describe(sessionId, description))
    },
    writeBytes: async (sessionId, key, data) => {
      await remote.writeBytes(sessionId, key, data)
      held.get(sessionId)?.cache(key, data)
    },
    readBytes: async (sessionId, key) => {
      const kept = isOffline(sessionId) ? await local.readBytes(sessionId, key) : undefined
      if (kept || (isOffline(sessionId) && isDerived(key))) return kept
      try {
        const data = await remote.readBytes(sessionId, key)
        if (!data) return await readUnsent(local, sessionId, key)
        held.get(sessionId)?.cache(key, data)
        return data
      } catch (error) {
        const cached = isUnavailable(error) ? await local.readBytes(sessionId, key) : undefined
        if (!cached) throw error
        return cached
      }
    },
    delete: async (sessionId) => {
      if (isOffline(sessionId)) throw needsServer('Deleting a session')
      await remote.delete(sessionId)
      await local.delete(sessionId)
    },
    ...(remote.redact && {
      redact: async (sessionId, { head, epoch }, redaction) => {
        const holding = holdingAt(sessionId, epoch)
        if (holding) return holding.redact(head, redaction)
        await remote.redact?.(sessionId, { head, epoch }, redaction)
        await local.delete(sessionId)
      },
    }),
    lasts: async (mode) => (await remote.lasts?.(mode)) ?? 'best-effort',
  }
}

/** A file that waits on this device for the server. If the server had the file and has it no more, it was removed. */
async function readUnsent(
  { readBytes }: SessionStorage,
  sessionId: string,
  key: string,
): Promise<Blob | undefined> {
  const isUnsent = await readBytes(sessionId, unsentKey(key)).catch(() => undefined)
  return isUnsent && readBytes(sessionId, key)
}

function createClaim(options: OfflineOptions, held: Map<string, Holding>): SessionStorage['claim'] {
  const { remote, local } = options
  let lastEpoch = 0
  const ports: CatchUpPorts = { ...options, onKept: (sessionId) => void send(sessionId) }

  /** Sends the server what waits of a session that no agent has open. */
  async function send(sessionId: string): Promise<void> {
    try {
      const own = await claim(sessionId, 'if-free')
      await own?.confirm()
      own?.release()
    } catch {
      // The session waits until an agent opens it.
    }
  }

  function hold(sessionId: string, parts: Parts): Holding {
    lastEpoch = Math.max(lastEpoch + 1, parts.claim?.epoch ?? 0, parts.copy?.epoch ?? 0)
    const holding = createHolding(ports, { ...parts, sessionId, epoch: lastEpoch })
    held.set(sessionId, holding)
    return holding
  }

  async function claimHere(sessionId: string, mode: ClaimMode, failure: unknown) {
    const copy = mode === 'wait' ? null : await openCopy(local, sessionId, mode)
    if (mode === 'wait') throw failure
    if (!copy) return null
    if (copy.head() < copy.known()) {
      copy.release()
      throw failure
    }
    const holding = hold(sessionId, { claim: null, copy, end: null })
    void holding.catchUp(false)
    return holding
  }

  async function claim(
    sessionId: string,
    mode: ClaimMode,
    signal?: AbortSignal,
  ): Promise<Claim | null> {
    let theirs: Claim | null
    try {
      theirs = await claimThere(options, mode, () => remote.claim(sessionId, mode, signal))
    } catch (error) {
      if (!isUnavailable(error)) throw error
      return claimHere(sessionId, mode, error)
    }
    if (!theirs) return null
    try {
      const parts = await begin(options, sessionId, theirs)
      const holding = hold(sessionId, parts)
      if (parts.end === null) await holding.catchUp(true)
      return holding
    } catch (error) {
      theirs.release()
      if (!isUnavailable(error)) throw error
      return claimHere(sessionId, mode, error)
    }
  }

  return claim
}

/**
 * Claims at the server. A claim that is granted too late is given back, or it would keep the session from every agent.
 */
function claimThere(
  { clock }: OfflineOptions,
  mode: ClaimMode,
  claim: () => Promise<Claim | null>,
): Promise<Claim | null> {
  const claiming = claim()
  if (mode === 'wait') return claiming
  return inPatience(claiming, clock, () => {
    claiming
      .then(async (late) => {
        await late?.confirm()
        late?.release()
      })
      .catch(() => {})
  })
}

interface Parts {
  readonly claim: Claim | null
  readonly copy: Copy | null
  readonly end: number | null
}

/** Compares the copy on this device with what the server has. */
async function begin(
  { remote, local }: OfflineOptions,
  sessionId: string,
  claim: Claim,
): Promise<Parts> {
  const copy = await openCopy(local, sessionId, 'take').catch(() => null)
  try {
    const end = await headAt(remote, sessionId)
    if (!copy) return { claim, copy, end }
    const [head, mark] = [copy.head(), copy.mark()]
    const waits = head > copy.known() || (await copy.unsent()).length > 0
    const found = waits ? null : await compare(remote, sessionId, copy)
    if (!found || (!found.isApart && found.shared < head)) {
      await copy.setMark({ ...mark, known: found?.shared ?? copy.known() })
      return { claim, copy, end: null }
    }
    if (!found.isApart) return { claim, copy, end }
    // The log that was copied is not at the server any more, and nothing in the copy waits for it.
    await copy.drop()
    return { claim, copy: await openCopy(local, sessionId, 'take').catch(() => null), end }
  } catch (error) {
    copy?.release()
    throw error
  }
}
