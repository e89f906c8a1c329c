import { isObject, tryJson } from '../../internal/json.ts'
import type { DurableEvent } from '../../kernel/events.ts'
import { inLocalStorage } from './local-storage.ts'

/** The events that a page handed over in its last moment. */
export interface HandedOver {
  /** The claim under which it was written. */
  readonly epoch: number
  /** The number of the first event. */
  readonly head: number
  readonly events: readonly DurableEvent[]
}

/**
 * Copies of what pages handed over in their last moment. A browser that is busy may end a page before IndexedDB has
 * begun with it; what is in `localStorage` is there at once. The next claim stores what is missing, and drops the copy.
 */
export interface SpareCopies {
  /** Keeps no copy where there is no space for it, or where the browser forbids it. */
  readonly keep: (sessionId: string, handedOver: HandedOver) => void
  readonly of: (sessionId: string) => HandedOver | null
  /** The sessions of which there is something, whatever it is. */
  readonly sessionIds: () => readonly string[]
  readonly drop: (sessionId: string) => void
}

/** `scope`: the prefix for names of this database, from `scopeOf`. */
export function createSpareCopies(scope: string): SpareCopies {
  const prefix = `offthread:${scope}:`
  const keyOf = (sessionId: string) => prefix + sessionId

  function of(sessionId: string): HandedOver | null {
    const copy = tryJson(inLocalStorage((storage) => storage.getItem(keyOf(sessionId))) ?? '')
    return isHandedOver(copy) ? copy : null
  }

  return {
    of,
    sessionIds: () =>
      (inLocalStorage((storage) => Object.keys(storage)) ?? [])
        .filter((key) => key.startsWith(prefix))
        .map((key) => key.slice(prefix.length)),
    keep: (sessionId, handedOver) => {
      // A page that was replaced without noticing may go away after the page that replaced it.
      if ((of(sessionId)?.epoch ?? 0) > handedOver.epoch) return
      inLocalStorage((storage) => storage.setItem(keyOf(sessionId), JSON.stringify(handedOver)))
    },
    drop: (sessionId) => void inLocalStorage((storage) => storage.removeItem(keyOf(sessionId))),
  }
}

/** The events themselves are checked when the session is read. */
function isHandedOver(value: unknown): value is HandedOver {
  if (!isObject(value)) return false
  const { epoch, head, events } = value
  return Number.isInteger(epoch) && Number.isInteger(head) && Array.isArray(events)
}
