import { type DurableEvent, memoryStorage } from '@offthread/core'
import type { Clock } from '@offthread/core/host'
import {
  appendOnce,
  type Claim,
  type ClaimMode,
  type SessionStorage,
  StorageError,
} from '@offthread/core/storage'
import { createAlsoOffline } from './also-offline.ts'

/** The way of one device to the server. */
interface Way {
  readonly isCut: () => boolean
  readonly cut: () => void
  /** The next append reaches the server. Its answer does not come, and nothing else does. */
  readonly cutBehindNext: () => void
  readonly mend: () => void
}

export interface Device {
  readonly way: Way
  readonly local: SessionStorage
  readonly open: () => Page
}

/** A page on a device, which writes session `s`. */
export interface Page {
  readonly storage: SessionStorage
  /** Claims the session, and stores that it was opened. Resolves with whether it owns it. */
  readonly own: (mode: ClaimMode) => Promise<boolean>
  /** Stores so many events, with a file before them, if that is wanted. */
  readonly write: (count: number, hasFile: boolean) => Promise<void>
  /** Hands over so many events, and ends. */
  readonly hide: (count: number) => void
  readonly end: () => void
}

export interface World {
  readonly server: SessionStorage
  readonly device: () => Device
  /** What pages were told is stored, by page, in order. */
  readonly acknowledged: readonly string[][]
  /** The names of files that were stored before an event that says so. */
  readonly files: ReadonlySet<string>
}

export const sessionId = 's'

export function createWorld(clock: Clock): World {
  const server = memoryStorage()
  const acknowledged: string[][] = []
  const files = new Set<string>()
  let names = 0
  const newName = () => {
    names += 1
    return `${names}`
  }

  return {
    ...{ server, acknowledged, files },
    device: () => {
      const way = createWay()
      const local = memoryStorage()
      return {
        ...{ way, local },
        open: () => {
          const life = createLife()
          const storage = createAlsoOffline({
            remote: atServer(server, way, life),
            local: here(local, life),
            clock,
            newId: () => `${newName()}-of-the-world`,
          })
          const own: string[] = []
          acknowledged.push(own)
          return pageOf(storage, life, { newName, own, files })
        },
      }
    },
  }
}

function createWay(): Way & { readonly onMend: (callback: () => void) => void } & {
  readonly takeAnswer: () => boolean
} {
  let isCut = false
  let isLast = false
  let waiting: (() => void)[] = []
  return {
    isCut: () => isCut,
    cut: () => {
      isCut = true
    },
    cutBehindNext: () => {
      isLast = true
    },
    takeAnswer: () => {
      if (isLast) isCut = true
      const isTaken = isLast
      isLast = false
      return isTaken
    },
    mend: () => {
      isCut = false
      isLast = false
      const callbacks = waiting
      waiting = []
      for (const callback of callbacks) callback()
    },
    onMend: (callback) => {
      if (isCut) waiting.push(callback)
      else callback()
    },
  }
}

interface Life {
  readonly isOver: () => boolean
  readonly end: () => void
  readonly note: (claim: Claim) => void
  /** Never resolves once the page has ended. */
  readonly alive: <Value>(work: () => Promise<Value>) => Promise<Value>
}

function createLife(): Life {
  const claims: Claim[] = []
  let isOver = false
  let asked = 0
  const never = new Promise<never>(() => {})
  return {
    isOver: () => isOver,
    end: () => {
      isOver = true
      for (const claim of claims) claim.release()
    },
    note: (claim) => {
      claims.push(claim)
    },
    alive: async (work) => {
      if (isOver) return never
      // Every answer takes another time.
      asked += 1
      for (let turns = (asked * 7) % 11; turns > 0; turns -= 1) await Promise.resolve()
      if (isOver) return never
      const value = await work()
      for (let turns = (asked * 5) % 13; turns > 0; turns -= 1) await Promise.resolve()
      return isOver ? never : value
    },
  }
}

const away = () => new StorageError('unavailable', 'The server is away.')

/** A server as a page reaches it. */
function atServer(
  server: SessionStorage,
  way: ReturnType<typeof createWay>,
  life: Life,
): SessionStorage {
  const ask = <Value>(work: () => Promise<Value>) =>
    life.alive(async () => {
      if (way.isCut()) throw away()
      const value = await work()
      // Cut meanwhile: done, but not known.
      if (way.isCut()) throw away()
      return value
    })
  return {
    ...server,
    ...everyMethod(server, ask),
    append: async (...asked) => {
      // Handed over before the call returns.
      if (asked[1].isLast && !way.isCut()) return server.append(...asked)
      return ask(async () => {
        await server.append(...asked)
        if (way.takeAnswer()) throw away()
      })
    },
    claim: async (...asked) => {
      const claim = await ask(() => server.claim(...asked))
      if (!claim) return null
      life.note(claim)
      const losing = new AbortController()
      const lose = () => way.onMend(() => losing.abort(claim.lost.reason))
      if (claim.lost.aborted) lose()
      else claim.lost.addEventListener('abort', lose)
      return {
        ...claim,
        lost: losing.signal,
        confirm: () => ask(claim.confirm),
        keepBytes: (...given) => ask(() => claim.keepBytes(...given)),
      }
    },
  }
}

/** What a device keeps, as a page reaches it. */
function here(local: SessionStorage, life: Life): SessionStorage {
  return {
    ...local,
    ...everyMethod(local, life.alive),
    append: (...asked) =>
      asked[1].isLast ? local.append(...asked) : life.alive(() => local.append(...asked)),
    claim: async (...asked) => {
      const claim = await life.alive(() => local.claim(...asked))
      if (claim) life.note(claim)
      return (
        claim && {
          ...claim,
          keepBytes: (...given) => life.alive(() => claim.keepBytes(...given)),
        }
      )
    },
  }
}

function everyMethod(
  storage: SessionStorage,
  ask: <Value>(work: () => Promise<Value>) => Promise<Value>,
): Pick<
  SessionStorage,
  'read' | 'append' | 'list' | 'describe' | 'writeBytes' | 'readBytes' | 'delete'
> {
  return {
    read: (...asked) => ask(() => storage.read(...asked)),
    append: (...asked) => ask(() => storage.append(...asked)),
    list: (...asked) => ask(() => storage.list(...asked)),
    describe: (...asked) => ask(() => storage.describe(...asked)),
    writeBytes: (...asked) => ask(() => storage.writeBytes(...asked)),
    readBytes: (...asked) => ask(() => storage.readBytes(...asked)),
    delete: (...asked) => ask(() => storage.delete(...asked)),
  }
}

interface Ledger {
  readonly newName: () => string
  readonly own: string[]
  readonly files: Set<string>
}

function pageOf(storage: SessionStorage, life: Life, { newName, own, files }: Ledger): Page {
  let claim: Claim | null = null
  let head = 0

  async function store(events: readonly DurableEvent[], isLast = false): Promise<void> {
    const { epoch = 0 } = claim ?? {}
    const position = { head, epoch, ...(isLast && { isLast }) }
    if (isLast) return storage.append(sessionId, position, events)
    await appendOnce({ storage, sessionId, position }, events)
    head += events.length
    for (const event of events) if (event.type === 'warning') own.push(event.message)
  }

  const warnings = (count: number, message = () => newName()) =>
    Array.from({ length: count }, (_, index) => warning(head + index, message()))

  return {
    storage,
    own: async (mode) => {
      if (claim && !claim.lost.aborted) return true
      claim = await storage.claim(sessionId, mode).catch(() => null)
      if (!claim) return false
      try {
        head = (await storage.read(sessionId)).length
        await store([opened(head, newName())])
        await claim.confirm()
      } catch {
        claim = null
      }
      return claim !== null
    },
    write: async (count, hasFile) => {
      if (!claim || claim.lost.aborted) return
      try {
        const file = `file ${newName()}`
        if (hasFile) await claim.keepBytes(file, new Blob([file]))
        const events = warnings(count)
        const named = hasFile ? [warning(head + count, file)] : []
        await store([...events, ...named])
        if (hasFile) files.add(file)
      } catch {
        claim = null
      }
    },
    hide: (count) => {
      if (claim) store(warnings(count), true).catch(() => {})
      life.end()
    },
    end: life.end,
  }
}

function opened(seq: number, bootId: string): DurableEvent {
  return { ...envelope(seq), type: 'session_opened', bootId }
}

function warning(seq: number, message: string): DurableEvent {
  return { ...envelope(seq), type: 'warning', code: 'test', message }
}

const envelope = (seq: number) => ({ v: 1, seq, ts: seq, sessionId, runId: null, turn: 0 }) as const
