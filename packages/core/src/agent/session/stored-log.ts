import { bareEvent } from '../../kernel/bare-event.ts'
import type { DurableEvent } from '../../kernel/events.ts'
import { readLog } from '../../runtime/read-log.ts'
import { readStoredEvent } from '../../runtime/read-stored-event.ts'
import { StorageError } from '../../storage/port.ts'
import { deletedSession } from '../../storage/position.ts'
import { isSameEvent } from '../../storage/same-event.ts'
import { type LoadedSession, loadSession, nothingLoaded } from './load-session.ts'
import { type Page, readPages } from './read-pages.ts'
import type { RoleOptions } from './role.ts'

/**
 * The stored log, as the agent has read it. Reading resolves with the reason why it ended before the end of the log, or
 * `null`.
 */
export interface StoredLog {
  readonly load: () => Promise<StorageError | null>
  /** Reads the log from its start, because it is not the log that was read before. */
  readonly loadOther: () => Promise<StorageError | null>
  /** Reads the events that were stored since. */
  readonly loadRest: () => Promise<StorageError | null>
  readonly throwIfDamaged: () => void
  /** The session as it was when the agent opened it. */
  readonly opened: () => LoadedSession
  /** The events from a number on, up to those that the agent itself has. */
  readonly past: (from: number) => AsyncIterable<readonly DurableEvent[]>
}

export function createStoredLog(
  options: Pick<RoleOptions, 'storage' | 'sessionId' | 'ports'>,
): StoredLog {
  const { storage, sessionId, ports } = options
  let opened: LoadedSession | null = null
  let damage: StorageError | null = null

  async function open(): Promise<StorageError | null> {
    opened = await loadSession(storage, sessionId)
    ports.log.length = 0
    ports.load(opened.state, [])
    return opened.problem
  }

  /** Opens the session from the start. Listeners get only the events that are new to them. */
  async function openAgain(
    news: readonly DurableEvent[],
    end: number,
  ): Promise<StorageError | null> {
    opened = await loadSession(storage, sessionId)
    const since = await storage.read(sessionId, end, Math.max(end, opened.state.nextSeq))
    ports.log.length = 0
    ports.load(opened.state, [...news, ...since])
    // Later readers take these events from the storage, too.
    ports.log.length = 0
    return opened.problem
  }

  async function load(): Promise<StorageError | null> {
    if (!opened) return open()
    const stored = await readSince(options, opened)
    const since = readLog(opened.state, stored)
    const kept = commonLength(ports.log, [...since.events, ...stored.slice(since.events.length)])
    const news = since.events.slice(kept)
    // The events and the state that were read before hold the content that was removed.
    if (news.some(isRedaction)) return openAgain(news, since.state.nextSeq)
    // What was stored since may not fit such a state, long before the redaction is read.
    if (since.problem) return openAgain([], opened.state.nextSeq + kept)
    ports.log.length = kept
    ports.load(since.state, news)
    return null
  }

  async function loadRest(): Promise<StorageError | null> {
    const before = ports.state()
    const last = ports.log.at(-1) ?? opened?.last ?? null
    const stored = await storage.read(sessionId, last?.seq ?? 0)
    const { events, problem } = readLog(before, afterLast(last, stored))
    if (problem || events.some(isRedaction)) return load()
    ports.replay(events)
    return null
  }

  return {
    load: async () => (damage = await load()),
    loadOther: async () => (damage = await open()),
    loadRest: async () => (damage = await loadRest()),
    throwIfDamaged: () => {
      if (damage) throw damage
    },
    opened: () => opened ?? nothingLoaded(sessionId),
    past: (from) => {
      const until = ports.log[0]?.seq ?? ports.state().nextSeq
      return eventsBetween(options, from, until)
    },
  }
}

/** The stored events from a number to another one. Throws at the first that cannot be read. */
async function* eventsBetween(
  { storage, sessionId }: Pick<RoleOptions, 'storage' | 'sessionId'>,
  from: number,
  until: number,
): AsyncGenerator<readonly DurableEvent[], void> {
  let at = from
  if (at >= until) return
  for await (const page of readPages(storage, sessionId, from)) {
    const events: DurableEvent[] = []
    for (const value of page.slice(0, until - at)) {
      const event = readStoredEvent(value, at)
      if (event instanceof StorageError) {
        yield events
        throw unreadable(at, event)
      }
      events.push(event)
      at += 1
    }
    yield events
    if (at === until) return
  }
  throw unreadable(at)
}

// This is an error of a later reading: at the opening a snapshot covered the event, or the event could still be read.
function unreadable(seq: number, cause?: StorageError): StorageError {
  return new StorageError(
    cause?.kind ?? 'damaged',
    `Event ${seq} of the stored session cannot be read. What the agent shows does not change by that.`,
    { cause },
  )
}

/** The events that were stored since the session was opened. */
async function readSince(
  { storage, sessionId }: Pick<RoleOptions, 'storage' | 'sessionId'>,
  { last }: LoadedSession,
): Promise<Page> {
  const stored: (DurableEvent | null)[] = []
  for await (const events of readPages(storage, sessionId, last?.seq ?? 0)) {
    for (const event of events) stored.push(event)
  }
  return afterLast(last, stored)
}

/**
 * The events that are stored after the last known one. They were read from that one on: throws if it is not there any
 * more.
 */
function afterLast(last: DurableEvent | null, stored: Page): Page {
  if (!last) return stored
  if (!isSamePlace(last, stored[0])) throw deletedSession()
  return stored.slice(1)
}

function isRedaction({ type }: DurableEvent): boolean {
  return type === 'message_redacted'
}

/** Whether two events are the same but for what was removed from one of them. */
function isSamePlace(one: DurableEvent, other: DurableEvent | null | undefined): boolean {
  if (!other) return false
  return isSameEvent(one, other) || isSameEvent(bareEvent(one), bareEvent(other))
}

/** How many events two logs have in common, from the first on. */
function commonLength(one: readonly DurableEvent[], other: Page): number {
  const different = one.findIndex((event, index) => !isSamePlace(event, other[index]))
  return different < 0 ? one.length : different
}
