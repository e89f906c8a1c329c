import { isList, isObject } from '../internal/json.ts'
import type { DurableEvent } from '../kernel/events.ts'
import { isDurable } from '../kernel/events.ts'
import { fold } from '../kernel/fold.ts'
import type { State } from '../kernel/state.ts'
import { emptyState } from '../kernel/state.ts'
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

/** Why a stored log cannot be continued, or `null`. Names the first bad event. A storage may give anything. */
export function problemOfLog(log: readonly DurableEvent[]): string | null {
  if (!isList(log)) return 'The stored session is no list of events. Nothing can be made of it.'
  if (log.some((event) => isObject(event) && Number(event.v) > 1)) {
    return 'the stored session was written by a newer version: reload the page to get it'
  }
  let state: State | null = emptyState('')
  for (const [seq, event] of log.entries()) {
    state = stateAfter(state, event, seq)
    if (!state)
      return `The stored session is damaged at event ${seq}. Export it, and begin a new one.`
  }
  return null
}

const roles: readonly unknown[] = ['user', 'assistant', 'toolResult', 'system']

/** `null` for what is not the event with this number, or does not have the fields of its type. */
function stateAfter(state: State, event: DurableEvent, seq: number): State | null {
  if (!isObject(event) || event.v !== 1 || event.seq !== seq || !isDurable(event)) return null
  if (seq === 0 && event.type !== 'session_opened') return null
  if ('message' in event && isObject(event.message) && !roles.includes(event.message['role']))
    return null
  try {
    const after = fold(state, event)
    return isObject(after) ? after : null
  } catch {
    return null
  }
}
