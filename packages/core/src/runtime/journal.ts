import type { DurableEvent } from '../kernel/events.ts'
import type { State } from '../kernel/state.ts'
import type { SessionStorage } from '../storage/port.ts'

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
}

export interface JournalOptions {
  /** It answers in time, or rejects. */
  readonly storage: SessionStorage
  readonly sessionId: string
  /** How many events the storage holds already. */
  readonly head: number
  /** Called once. After it nothing is stored any more, because later events would leave a gap. */
  readonly onFailure: (thrown: unknown) => void
}

export function createJournal(options: JournalOptions): Journal {
  const { storage, sessionId, head, onFailure } = options
  const waiting: { readonly head: number; readonly resolve: () => void }[] = []
  let next: DurableEvent[] = []
  let added = head
  let stored = head
  let isBusy = false
  let draining: Promise<void> = Promise.resolve()

  async function store(): Promise<void> {
    isBusy = true
    try {
      while (next.length > 0) {
        const batch = next
        next = []
        await append(batch)
        stored += batch.length
        while (waiting[0] && waiting[0].head <= stored) waiting.shift()?.resolve()
      }
      isBusy = false
    } catch (error) {
      // `isBusy` stays true, so that nothing is stored after the gap.
      onFailure(error)
    }
  }

  async function append(batch: readonly DurableEvent[]): Promise<void> {
    try {
      await storage.append(sessionId, stored, batch)
    } catch (error) {
      // The append may have been stored all the same: the storage's content decides.
      const held = await storage.load(sessionId)
      if (isHeld(held, batch)) return
      if (held.length !== stored) throw error
      await storage.append(sessionId, stored, batch)
    }
  }

  function isHeld(held: readonly DurableEvent[], batch: readonly DurableEvent[]): boolean {
    return (
      held.length === stored + batch.length &&
      JSON.stringify(held.slice(stored)) === JSON.stringify(batch)
    )
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
  }
}

/** How a log is read. Given, because what this module imports would be taken out of the page's first load. */
export interface Reading {
  readonly state: State
  readonly fold: (state: State, event: DurableEvent) => State
}

/** Why a stored log cannot be continued, or `null`. Names the first bad event. A storage may give anything. */
export function problemOfLog(
  log: readonly DurableEvent[],
  { state, fold }: Reading,
): string | null {
  const isList: boolean = Array.isArray(log)
  if (!isList) return 'The stored session is no list of events.'
  if (log.some((event) => event?.v > 1)) {
    return 'the stored session was written by a newer version: reload the page to get it'
  }
  let read = state
  for (const [seq, event] of log.entries()) {
    try {
      if (!isNext(event, seq)) return damagedAt(seq)
      read = fold(read, event)
      // An event that need not be stored is not counted.
      if (read.nextSeq !== seq + 1) return damagedAt(seq)
    } catch {
      return damagedAt(seq)
    }
  }
  return null
}

const roles: readonly string[] = ['user', 'assistant', 'toolResult', 'system']

function isNext(event: DurableEvent, seq: number): boolean {
  if (event.v !== 1 || event.seq !== seq) return false
  if (seq === 0 && event.type !== 'session_opened') return false
  const isOfMessage = event.type === 'message_start' || event.type === 'message_end'
  return !isOfMessage || roles.includes(event.message.role)
}

function damagedAt(seq: number): string {
  return `The stored session is damaged at event ${seq}. Export it, and begin a new one.`
}
