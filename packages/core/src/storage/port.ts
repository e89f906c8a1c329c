import type { Json } from '../internal/json.ts'
import type { DurableEvent } from '../kernel/events.ts'

/**
 * Where sessions are kept: the events of each, who may write them, and the bytes that events name.
 *
 * Every method rejects with a `StorageError`. A session that was never written is empty and has epoch 0.
 */
export interface SessionStorage {
  /** The events of a session from number `from` on, in order, up to but without number `to`. Default: all. */
  readonly read: (sessionId: string, from?: number, to?: number) => Promise<readonly DurableEvent[]>
  /**
   * Appends events, whole or not at all, if the session has exactly the head and epoch of `position`. Resolves once
   * they are stored. Rejects as `not_owner` if a later claim was made, as `cleared` if the session was deleted after
   * the claim, else as `conflict` if the head is another one.
   */
  readonly append: (
    sessionId: string,
    position: AppendPosition,
    events: readonly DurableEvent[],
  ) => Promise<void>
  /**
   * Calls the listener with the events from number `from` on, whichever page wrote them: first those that are stored,
   * then new ones, in order, each once. One that `redact` has replaced does not come again. Returns a function that
   * ends this.
   */
  readonly follow: (
    sessionId: string,
    from: number,
    listener: (events: readonly DurableEvent[]) => void,
  ) => () => void
  /** Connects to the agents that have the session open. Messages between them are not kept, and may be lost. */
  readonly connect: (sessionId: string, listener: (message: Json) => void) => Connection
  /**
   * Makes the caller the one who may append. Resolves with `null` if the session has an owner and the mode is
   * `'if-free'`. A wait ends and rejects when the signal fires (with its reason), when the storage ends, and, as
   * `cleared`, when the session is deleted.
   */
  readonly claim: (
    sessionId: string,
    mode: ClaimMode,
    signal?: AbortSignal,
  ) => Promise<Claim | null>
  /** The sessions that hold events, the last written first; only the one of this name, if it is given. */
  readonly list: (sessionId?: string) => Promise<readonly SessionEntry[]>
  /**
   * Changes what the list shows of a session, also of one that was claimed and holds no events yet. Does nothing for an
   * unknown one.
   */
  readonly describe: (sessionId: string, description: SessionDescription) => Promise<void>
  /**
   * Keeps bytes beside a session, in place of those under the same key. `null` removes them. Bytes under a key that
   * begins with `offthread:` are not counted and may be removed at any time, because they can be made again.
   */
  readonly writeBytes: (sessionId: string, key: string, data: Blob | null) => Promise<void>
  /** The bytes under a key; `undefined` if there are none. */
  readonly readBytes: (sessionId: string, key: string) => Promise<Blob | undefined>
  /** Removes a session with everything that belongs to it, and takes it from its owner. */
  readonly delete: (sessionId: string) => Promise<void>
  /**
   * Removes content from a session for good: the only way to change what is stored. All of it is done or nothing, on
   * the disk before it counts, and only if the session has exactly the head and epoch of `position`; rejects as
   * `append` does. A storage without this cannot redact messages.
   */
  readonly redact?: (sessionId: string, position: Position, redaction: Redaction) => Promise<void>
  /**
   * How long what is stored stays. `'ask'` asks the platform for more first, which may ask the user. A storage without
   * this says `'best-effort'`.
   */
  readonly lasts?: (mode: 'look' | 'ask') => Promise<Lasting>
}

/**
 * How long what is stored stays: `'memory'`, as long as the page; `'best-effort'`, until the platform needs the space;
 * `'persistent'`, until it is deleted on purpose.
 */
export type Lasting = 'memory' | 'best-effort' | 'persistent'

/** The end of a session's log, as its writer believes it to be. */
export interface Position {
  /** How many events the session has. */
  readonly head: number
  /** The number of the claim under which the session is written; 0 without one. */
  readonly epoch: number
}

/** The position at which events are appended, and how. */
export interface AppendPosition extends Position {
  /** `'strict'`: on the disk, and not only with the operating system, before it counts. Default: the storage's own. */
  readonly durability?: Durability
  /**
   * The page goes away and cannot wait: the events are handed over before the call returns, with those of an append
   * that is under way. If the page lives on, that append finds the session changed.
   */
  readonly isLast?: boolean
}

/** The changes of a redaction. */
export interface Redaction {
  /** Each event takes the place of the stored one with its number, which has to be there. */
  readonly replaced: readonly DurableEvent[]
  /** Events to append, which say that the redaction was done. */
  readonly added: readonly DurableEvent[]
  /** The keys of bytes to remove. Bytes under keys that begin with `offthread:` are removed in any case. */
  readonly removedKeys: readonly string[]
  /** How the first message that is left begins: lists show it. Empty if there is none. */
  readonly topic: string
}

/** What a stored event survives: `'relaxed'`: the end of the browser; `'strict'`: also a power failure. */
export type Durability = 'relaxed' | 'strict'

/** A connection to a session: see `SessionStorage.connect`. */
export interface Connection {
  /** Sends to every other agent that is connected to the session. */
  readonly post: (message: Json) => void
  /**
   * Aborted, with a `StorageError` as its reason, when the session was deleted (`cleared`), or the storage cannot be
   * reached any more. Agents that only read are told so, too.
   */
  readonly ended: AbortSignal
  /** Leaves the session. */
  readonly close: () => void
}

/**
 * When a session is claimed.
 *
 * - `'if-free'`: now, unless it has an owner.
 * - `'wait'`: as soon as it has none.
 * - `'take'`: now; an owner loses it.
 */
export type ClaimMode = 'if-free' | 'wait' | 'take'

/** The right to append to a session. */
export interface Claim {
  /** The number of the claim: larger than that of every claim before. */
  readonly epoch: number
  /** How many claims before it, in a row, ended without `confirm`: pages that died while they opened the session. */
  readonly unconfirmed: number
  /** Says that the session was opened and did not break the page. */
  readonly confirm: () => Promise<void>
  /**
   * `writeBytes` under this claim. Rejects as `not_owner` if a later claim was made, because the events may have been
   * redacted since, and as `cleared` if the session was deleted. Nothing is changed then.
   */
  readonly keepBytes: (key: string, data: Blob | null) => Promise<void>
  /**
   * Aborted when the claim is lost. The reason is a `StorageError` when nothing can be stored any more: `cleared` if
   * the session was deleted, `diverged` if it has to be read again. Without one, another agent has taken the session.
   */
  readonly lost: AbortSignal
  /**
   * Calls the listener each time that it changes whether appended events are kept on this device only, and at once if
   * they are. If the server answers but refuses them for now, the listener gets the reason, too. Returns a function
   * that ends this. A claim without this method keeps events where all have them.
   */
  readonly watchOffline?: (
    listener: (isOffline: boolean, refusal?: StorageError) => void,
  ) => () => void
  /** Gives the right back. */
  readonly release: () => void
}

/** What is shown of a session without opening it. */
export interface SessionDescription {
  /** The title that a person gave it. */
  readonly title?: string
  /** The start of its first message, to be shown while it has no title. */
  readonly topic?: string
  /** One word for what the session's agent does. A session whose page died keeps the last one. */
  readonly status?: string
}

/** A session, as the list shows it. */
export interface SessionEntry extends SessionDescription {
  /** The name of the session in the storage. */
  readonly sessionId: string
  /** When the session's first event was written, in epoch milliseconds. */
  readonly createdAt: number
  /** When the session's last event was written, in epoch milliseconds. */
  readonly updatedAt: number
  /** How many events the session has. */
  readonly events: number
  /** Bytes kept beside the session's events, without caches. */
  readonly bytes: number
  /** The keys of these bytes. */
  readonly keys: readonly string[]
  /** Whether the session has an owner now. */
  readonly isOpen: boolean
}

/**
 * Why a storage failed.
 *
 * - `conflict`: the session has other events than its writer believes. `not_owner`: another tab or agent claimed it.
 * - `full`: there is no space. `unavailable`: the browser keeps nothing here, for instance in a private window.
 * - `blocked`: a tab with an older version of the app is in the way. `newer`: a newer version has been used here.
 * - `cleared`: the session, or all stored data, was deleted while it was open. `damaged`: an event of the session is missing
 *   or is none. `diverged`: the session went on elsewhere, while this device worked on a copy of it.
 * - `unknown`: anything else.
 */
export type StorageErrorKind =
  | 'conflict'
  | 'not_owner'
  | 'full'
  | 'unavailable'
  | 'blocked'
  | 'newer'
  | 'cleared'
  | 'damaged'
  | 'diverged'
  | 'unknown'

/** Whether what was thrown is a `StorageError` of this kind. */
export function isKind(thrown: unknown, kind: StorageErrorKind): thrown is StorageError {
  return thrown instanceof StorageError && thrown.kind === kind
}

/** A failure of a storage. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  /** What failed, to branch on. */
  readonly kind: StorageErrorKind
  /** The name of the session that keeps the events which are not in this one. */
  readonly keptAs: string | undefined

  constructor(
    kind: StorageErrorKind,
    message: string,
    options: { readonly cause?: unknown; readonly keptAs?: string | undefined } = {},
  ) {
    super(message, options)
    this.kind = kind
    this.keptAs = options.keptAs
  }
}
