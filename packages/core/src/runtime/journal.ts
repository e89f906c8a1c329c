import { charsOf, maxCopied } from '../internal/chars-of.ts'
import type { Clock } from '../internal/clock.ts'
import { createDeferred } from '../internal/deferred.ts'
import type { DurableEvent, Fact } from '../kernel/events.ts'
import { type Position, type SessionStorage, StorageError } from '../storage/port.ts'
import { appendOnce } from './append-once.ts'
import { createSpace } from './retry-when-full.ts'

/** Writes durable events to a storage: in order, one append at a time. */
export interface Journal {
  /** Adds an event to the next append. */
  readonly add: (event: DurableEvent) => void
  /**
   * Stores the added events, at most 500 as one append, or fewer big ones. The opening of an empty session waits for
   * the next event, unless `'all'` is given: a session that is only looked at leaves nothing in the list.
   */
  readonly flush: (which?: 'all') => void
  /**
   * Resolves when everything flushed so far is stored; never after a failure. Rejects when the journal is abandoned
   * before, and always after `close`.
   */
  readonly stored: () => Promise<void>
  /** Resolves when all events are stored, or after a failure. */
  readonly drained: () => Promise<void>
  /** The cause of a fact, for its envelope. */
  readonly causeOf: (fact: Fact) => { readonly wishId?: string }
  /** Hands all waiting events to the storage without waiting for anything: the page goes away and may not come back. */
  readonly rescue: () => void
  /** The writer ends: events that find no space now are lost. */
  readonly end: () => void
  /** No event is added any more: `stored` rejects from now on. */
  readonly close: () => void
  /** Another agent writes the session now, so the remaining events are never stored. */
  readonly abandon: () => void
  /** The events that are not stored. */
  readonly unstored: () => readonly DurableEvent[]
}

export interface JournalOptions {
  /** The storage, whose answers come in time or reject. */
  readonly storage: SessionStorage
  readonly sessionId: string
  /** How many events the session has, and under which claim it is written. */
  readonly position: Position
  readonly clock: Clock
  /** Whether an event has to survive a power failure before it counts as stored. */
  readonly isStrict: (event: DurableEvent) => boolean
  /**
   * Called when there is no space, and when there is some again. Meanwhile the events wait in memory, in order, and are
   * tried again: nothing is stored behind them, and nothing that waits for `stored` goes on.
   */
  readonly onFull: (isFull: boolean) => void
  /** Called once. After it nothing is stored any more, because later events would leave a gap. */
  readonly onFailure: (thrown: unknown) => void
}

/** The most events of one append: a storage copies them in one task, and thousands would hold the page. */
const mostEvents = 500

export function createJournal(options: JournalOptions): Journal {
  const { storage, sessionId, clock, isStrict, onFull, onFailure } = options
  const waiting = createWaiting()
  const space = createSpace(clock, onFull)
  const next: DurableEvent[] = []
  let isNextStrict = false
  let underWay: DurableEvent[] = []
  let stored = options.position.head
  let isBusy = false
  let isWanted = false
  let hasEnded = false
  let draining: Promise<void> = Promise.resolve()

  async function store(): Promise<void> {
    isBusy = true
    try {
      while (next.length > 0) {
        const position = { ...options.position, head: stored, ...(isNextStrict && strict) }
        underWay = next.splice(0, countOfNext(next))
        isNextStrict &&= next.length > 0
        await space.await(() => appendOnce({ storage, sessionId, position }, underWay))
        stored += underWay.length
        underWay = []
        waiting.reach(stored)
      }
      isBusy = false
    } catch (error) {
      // `isBusy` stays true, so that nothing is stored after the gap.
      if (!hasEnded) onFailure(error)
      hasEnded = true
    }
  }

  const unstored = () => [...underWay, ...next]
  const isUnused = (): boolean =>
    stored === 0 && next.length === 1 && next[0]?.type === 'session_opened' && !isWanted

  return {
    add: (event) => {
      next.push(event)
      isNextStrict ||= isStrict(event)
    },
    flush: (which) => {
      isWanted ||= which === 'all'
      if (!isBusy && next.length > 0 && !isUnused()) draining = store()
    },
    stored: () => {
      const flushed = isUnused() ? 0 : underWay.length + next.length
      return waiting.until(stored + flushed, stored)
    },
    drained: () => draining,
    causeOf: () => ({}),
    ...{ unstored, close: waiting.close, abandon: waiting.abandon },
    rescue: () => {
      if (hasEnded || isUnused()) return
      // A page at its end gets no more tasks, and a pending append needs some, so its events are handed over again. If
      // the page lives on, the append finds them stored.
      handOver(options, stored, unstored())
    },
    end: () => {
      hasEnded = true
      space.stopWaiting()
    },
  }
}

/** How many of the events are the next append: as many as can be copied in one task, but at least one. */
function countOfNext(events: readonly DurableEvent[]): number {
  let chars = 0
  const tooMuch = events.findIndex((event, at) => {
    chars += charsOf(event)
    return at > 0 && (at === mostEvents || chars > maxCopied)
  })
  return tooMuch < 0 ? events.length : tooMuch
}

/** Stores events of a page that goes away: nothing can be waited for. */
function handOver(
  { storage, sessionId, position }: JournalOptions,
  head: number,
  events: readonly DurableEvent[],
): void {
  if (events.length === 0) return
  storage.append(sessionId, { ...position, head, isLast: true }, events).catch(() => {})
}

/** Promises, each of which waits until a number of events is stored. */
function createWaiting() {
  const waiting: { readonly head: number; readonly answer: Deferred }[] = []
  let isClosed = false
  const close = (): void => {
    isClosed = true
  }
  return {
    close,
    until: (head: number, stored: number): Promise<void> => {
      if (isClosed) return Promise.reject(abandoned())
      if (stored === head) return Promise.resolve()
      const answer: Deferred = createDeferred()
      waiting.push({ head, answer })
      return answer.promise
    },
    reach: (stored: number): void => {
      while (waiting[0] && waiting[0].head <= stored) waiting.shift()?.answer.resolve()
    },
    abandon: (): void => {
      close()
      for (const { answer } of waiting) answer.reject(abandoned())
    },
  }
}

type Deferred = ReturnType<typeof createDeferred<void>>

/** The error for events that were written before this agent noticed that another one owns the session. */
export const notStored =
  'Another tab or agent took the session before this was stored. Look at what the session holds now, and try again.'

function abandoned(): StorageError {
  return new StorageError('not_owner', notStored)
}

const strict = { durability: 'strict' } as const
