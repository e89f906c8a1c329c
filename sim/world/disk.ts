import type { DurableEvent } from '../../packages/core/src/kernel/events.ts'
import { StorageError } from '../../packages/core/src/storage/port.ts'

/** What is durable, whatever happens to the page. As JSON texts: nobody can change it from outside. */
export interface Disk {
  readonly texts: readonly string[]
  readonly events: () => readonly DurableEvent[]
  /** Throws a conflict unless there are so many events. */
  readonly write: (expectedHead: number, events: readonly DurableEvent[]) => void
  /** Somebody else opens the session. */
  readonly usurp: () => void
}

export function createDisk(before: readonly DurableEvent[] = []): Disk {
  const texts = before.map((event) => JSON.stringify(event))
  return {
    texts,
    events: () => texts.map((text) => JSON.parse(text) as DurableEvent),
    write: (expectedHead, events) => {
      if (texts.length !== expectedHead) {
        throw new StorageError('conflict', `There are ${texts.length} events.`)
      }
      texts.push(...events.map((event) => JSON.stringify(event)))
    },
    usurp: () => void texts.push(JSON.stringify(foreignEvent(texts.length))),
  }
}

function foreignEvent(seq: number): DurableEvent {
  return {
    v: 1,
    seq,
    ts: 1_700_000_000_000,
    sessionId: 'session',
    runId: null,
    turn: 0,
    type: 'session_opened',
    bootId: `foreign_${seq}`,
  }
}
