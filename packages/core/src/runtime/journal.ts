import type { DurableEvent, Fact } from '../kernel/events.ts'
import { type Position, type SessionStorage, StorageError } from '../storage/port.ts'

/** Writes durable events to a storage: in order, one append at a time. */
export interface Journal {
  /** Adds an event to the next append. */
  readonly add: (event: DurableEvent) => void
  /** Stores the added events as one append. */
  readonly flush: () => void
  /** Resolves when everything added so far is stored; never after a failure. */
  readonly stored: () => Promise<void>
  /** Resolves when all events are stored, or after a failure. */
  readonly drained: () => Promise<void>
  /** What a fact comes of, for its envelope. */
  readonly causeOf?: (fact: Fact) => { readonly wishId?: string }
  /** Hands everything over at once: the page goes away and may not come back. */
  readonly rescue: () => void
}

export interface JournalOptions {
  /** It answers in time, or rejects. */
  readonly storage: SessionStorage
  readonly sessionId: string
  /** Where the session stands. */
  readonly position: Position
  /** Called once. After it nothing is stored any more, because later events would leave a gap. */
  readonly onFailure: (thrown: unknown) => void
}

export function createJournal(options: JournalOptions): Journal {
  const { storage, sessionId, onFailure } = options
  const { head, epoch } = options.position
  const waiting: { readonly head: number; readonly resolve: () => void }[] = []
  let next: DurableEvent[] = []
  let underWay: DurableEvent[] = []
  let added = head
  let stored = head
  let isBusy = false
  let hasFailed = false
  let draining: Promise<void> = Promise.resolve()

  async function store(): Promise<void> {
    isBusy = true
    try {
      while (next.length > 0) {
        underWay = next
        next = []
        await append({ ...options, position: { head: stored, epoch } }, underWay)
        stored += underWay.length
        underWay = []
        while (waiting[0] && waiting[0].head <= stored) waiting.shift()?.resolve()
      }
      isBusy = false
    } catch (error) {
      // `isBusy` stays true, so that nothing is stored after the gap.
      hasFailed = true
      onFailure(error)
    }
  }

  return {
    add: (event) => {
      next.push(event)
      added += 1
    },
    flush: () => {
      if (!isBusy && next.length > 0) draining = store()
    },
    stored: () =>
      stored === added
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ head: added, resolve })),
    drained: () => draining,
    rescue: () => {
      if (hasFailed) return
      // What is under way needs turns that the page does not have any more. A page that lives on finds it stored.
      let at = stored
      for (const batch of [underWay, next]) {
        const position = { head: at, epoch, isLast: true }
        if (batch.length > 0) storage.append(sessionId, position, batch).catch(() => {})
        at += batch.length
      }
    },
  }
}

/** Appends a batch that may have been stored in part, by an append whose answer was lost. */
async function append(
  { storage, sessionId, position }: Omit<JournalOptions, 'onFailure'>,
  batch: readonly DurableEvent[],
): Promise<void> {
  try {
    await storage.append(sessionId, position, batch)
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'not_owner') throw error
    // The storage's content decides. After the batch there may be what was handed over after it.
    const held = (await storage.read(sessionId, position.head)).slice(0, batch.length)
    const isOwn = JSON.stringify(held) === JSON.stringify(batch.slice(0, held.length))
    if (!isOwn) throw error
    const rest = batch.slice(held.length)
    if (rest.length === 0) return
    await storage.append(sessionId, { ...position, head: position.head + held.length }, rest)
  }
}
