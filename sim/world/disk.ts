import type { DurableEvent } from '../../packages/core/src/kernel/events.ts'
import { StorageError } from '../../packages/core/src/storage/port.ts'

/** What is stored, whatever happens to the page. Each reader gets a copy of its own. */
export interface Disk {
  /** Whether the dispatch of this execution is stored. */
  readonly knows: (executionId: string) => boolean
  readonly events: () => readonly DurableEvent[]
  /** Throws a conflict unless there are exactly so many events. */
  readonly write: (expectedHead: number, events: readonly DurableEvent[]) => void
  /** Another page opens the session, and writes to it. */
  readonly usurp: () => void
}

export function createDisk(before: readonly DurableEvent[] = []): Disk {
  const texts: string[] = []
  const executionIds = new Set<string>()
  const store = (event: DurableEvent): void => {
    texts.push(JSON.stringify(event))
    if (event.type === 'tool_dispatched') executionIds.add(event.executionId)
  }
  for (const event of before) store(event)
  return {
    knows: (executionId) => executionIds.has(executionId),
    events: () => texts.map((text) => JSON.parse(text) as DurableEvent),
    write: (expectedHead, events) => {
      if (texts.length !== expectedHead) {
        throw new StorageError('conflict', `There are ${texts.length} events.`)
      }
      for (const event of events) store(event)
    },
    usurp: () => store(foreignEvent(texts.length)),
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
