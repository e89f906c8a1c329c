import type { DBSchema } from 'idb'
import type { DurableEvent } from '../../kernel/events.ts'
import type { SessionDescription } from '../port.ts'
import type { StoredBytes } from './stored-bytes.ts'

/** The stores. Events are only added, except that a redaction replaces some. */
export interface Schema extends DBSchema {
  sessions: { key: string; value: StoredSession }
  /** The events, by session and number. */
  events: { key: [string, number]; value: DurableEvent }
  /**
   * By session and key. An entry is the digest of a file, or the bytes themselves: for files of the first version, and
   * for what can be made again.
   */
  bytes: { key: [string, string]; value: StoredFile | StoredBytes }
  /** The content of files, by session and digest. */
  contents: { key: [string, string]; value: StoredBytes }
  /**
   * `epoch`: the last that was given to a claim or deletion of any session, so that none comes again. Under the name
   * of a session: the number of the first event that its page handed over in its last moment, unchecked. From the number
   * of an epoch on: the marks of its fence.
   */
  counters: { key: 'epoch' | [string] | number; value: number }
}

export interface StoredSession extends SessionDescription {
  readonly epoch: number
  readonly unconfirmed: number
  /**
   * The number of the session's first claim, which tells it from other sessions of its name. Absent if that claim was
   * made by a version that did not keep it.
   */
  readonly born?: number
  /** How many bytes are kept beside its events. Equal files count once. */
  readonly bytes: number
}

/** The value of a key: the digest of a file. */
export interface StoredFile {
  readonly sha256: string
  readonly size: number
  readonly type: string
}

export const stores = ['sessions', 'events', 'bytes', 'contents', 'counters'] as const

/** The keys of a session's events. Keys are ordered: numbers come before lists. */
export function eventsOf(sessionId: string, from = 0, to?: number): IDBKeyRange {
  return to === undefined
    ? IDBKeyRange.bound([sessionId, from], [sessionId, Number.MAX_SAFE_INTEGER])
    : IDBKeyRange.bound([sessionId, from], [sessionId, to], false, true)
}

/** The keys of everything that is kept beside a session. */
export function allOf(sessionId: string): IDBKeyRange {
  return IDBKeyRange.bound([sessionId], [sessionId, []])
}

/** The keys behind all those of a session. */
export function behind(sessionId: string): IDBKeyRange {
  return IDBKeyRange.lowerBound([sessionId, [[]]])
}
