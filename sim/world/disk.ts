import type { DurableEvent } from '../../packages/core/src/kernel/events.ts'
import type { Position, Redaction } from '../../packages/core/src/storage/port.ts'
import { checkEpoch, checkPosition } from '../../packages/core/src/storage/position.ts'

/** What is stored, whatever happens to the pages. Each reader gets a copy of its own. */
export interface Disk {
  /** Whether the dispatch of this execution is stored. */
  readonly has: (executionId: string) => boolean
  readonly events: () => readonly DurableEvent[]
  /** Throws unless the session stands just there. */
  readonly write: (position: Position, events: readonly DurableEvent[]) => void
  /** Puts events in the place of others, and adds some. Throws unless the session stands just there. */
  readonly redact: (position: Position, redaction: Redaction) => void
  /** Another program, which does not know of claims, writes to the session. */
  readonly usurp: () => void
  /** The number of the last claim. */
  readonly epoch: () => number
  /** The events up to this number are stored, and their page was notified. */
  readonly acknowledge: (position: Position, count: number) => void
  readonly isAcknowledged: (event: DurableEvent) => boolean
  /** Keeps a file, or removes it. Throws if a later claim was made. */
  readonly keepFile: (epoch: number, key: string, data: Blob | null) => void
  readonly file: (key: string) => Blob | undefined
  /** Removes all that is stored. */
  readonly delete: () => void
  /** The number of the last claim or deletion. */
  readonly lastEpoch: () => number
  /** That of the last deletion. */
  readonly deletedAt: () => number
  /** Counts a claim. Returns how many before it were not confirmed. */
  readonly claim: () => number
  readonly confirm: (epoch: number) => void
  /** The claim under which each event was written. */
  readonly writers: readonly number[]
  /** Called after each write. */
  readonly watch: (watcher: () => void) => () => void
  /** Called after each deletion. */
  readonly watchDeletions: (watcher: () => void) => () => void
}

export function createDisk(before: readonly DurableEvent[] = []): Disk {
  const texts: string[] = []
  const writers: number[] = []
  const executionIds = new Set<string>()
  const acknowledged = new Set<number>()
  const files = new Map<string, Blob>()
  const watchers = new Set<() => void>()
  const deletionWatchers = new Set<() => void>()
  const claims = createClaims()
  const store = (event: DurableEvent, writer: number): void => {
    texts.push(JSON.stringify(event))
    writers.push(writer)
    if (event.type === 'tool_dispatched') executionIds.add(event.executionId)
  }
  for (const event of before) store(event, 0)
  return {
    ...claims,
    has: (executionId) => executionIds.has(executionId),
    events: () => texts.map((text) => JSON.parse(text) as DurableEvent),
    write: (position, events) => {
      checkPosition({ head: texts.length, epoch: claims.epoch() }, position)
      for (const event of events) store(event, position.epoch)
      for (const watcher of watchers) watcher()
    },
    acknowledge: ({ head, epoch: writer }, count) => {
      // When the answer comes, the session may be another one, so the writer of each event is compared.
      for (let seq = head; seq < head + count; seq += 1) {
        if (writers[seq] === writer) acknowledged.add(seq)
      }
    },
    isAcknowledged: ({ seq }) => acknowledged.has(seq),
    keepFile: (writer, key, data) => {
      checkEpoch(claims.epoch(), writer)
      if (data) files.set(key, data)
      else files.delete(key)
    },
    file: (key) => files.get(key),
    redact: (position, { replaced, added, removedKeys }) => {
      checkPosition({ head: texts.length, epoch: claims.epoch() }, position)
      for (const event of replaced) texts[event.seq] = JSON.stringify(event)
      for (const event of added) store(event, position.epoch)
      for (const key of removedKeys) files.delete(key)
      for (const watcher of watchers) watcher()
    },
    usurp: () => store(foreignEvent(texts.length), claims.epoch()),
    delete: () => {
      texts.length = 0
      writers.length = 0
      acknowledged.clear()
      files.clear()
      claims.delete()
      for (const watcher of deletionWatchers) watcher()
    },
    writers,
    watch: watching(watchers),
    watchDeletions: watching(deletionWatchers),
  }
}

/** The numbers of claims and deletions, which only grow. */
function createClaims() {
  let epoch = 0
  let lastEpoch = 0
  let deletedAt = 0
  let unconfirmed = 0
  return {
    epoch: () => epoch,
    lastEpoch: () => lastEpoch,
    deletedAt: () => deletedAt,
    claim: () => {
      lastEpoch += 1
      epoch = lastEpoch
      unconfirmed += 1
      return unconfirmed - 1
    },
    confirm: (confirmed: number) => {
      if (confirmed === epoch) unconfirmed = 0
    },
    delete: () => {
      epoch = 0
      unconfirmed = 0
      lastEpoch += 1
      deletedAt = lastEpoch
    },
  }
}

function watching(watchers: Set<() => void>): Disk['watch'] {
  return (watcher) => {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
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
