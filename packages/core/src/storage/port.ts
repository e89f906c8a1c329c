import type { DurableEvent } from '../kernel/events.ts'

/** Where sessions are kept. */
export interface SessionStorage {
  /** The events of a session, in order; none for one that was never written. Rejects with a `StorageError`. */
  readonly load: (sessionId: string) => Promise<readonly DurableEvent[]>
  /**
   * Appends events, whole or not at all, if the session has exactly `expectedHead` events. Resolves once they
   * are durable. Rejects with a `StorageError`: of kind `conflict` if the head is another one.
   */
  readonly append: (
    sessionId: string,
    expectedHead: number,
    events: readonly DurableEvent[],
  ) => Promise<void>
}

/** Why a storage failed: another tab or agent wrote the session, there is no space, or the reason is unknown. */
export type StorageErrorKind = 'conflict' | 'full' | 'unknown'

/** A failure of a storage. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly kind: StorageErrorKind

  constructor(kind: StorageErrorKind, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.kind = kind
  }
}
