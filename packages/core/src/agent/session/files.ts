import { messageOf } from '../../internal/message-of.ts'
import type { RoleOptions } from './role.ts'

/** The bytes of artifacts, beside a stored session. */
export interface Files {
  /** Stores the bytes of an artifact, or removes them. */
  readonly keep: (artifactId: string, data: Blob | ArrayBuffer | null) => void
  /** Resolves when none is being written. */
  readonly kept: () => Promise<unknown>
}

export function createFiles({
  storage,
  sessionId,
  ports,
}: Pick<RoleOptions, 'storage' | 'sessionId' | 'ports'>): Files {
  const underWay = new Set<Promise<void>>()
  return {
    // Before the append of the event that names it: a storage keeps the order.
    keep: (artifactId, data) => {
      const bytes = data instanceof ArrayBuffer ? new Blob([data]) : data
      const written = storage
        .writeBytes(sessionId, artifactId, bytes)
        .catch((error: unknown) => {
          if (!bytes) return
          const message = `The file ${artifactId} is not stored and ends with this page: ${messageOf(error)}`
          ports.write({ type: 'warning', code: 'artifact_not_stored', message })
        })
        .finally(() => underWay.delete(written))
      underWay.add(written)
    },
    kept: () => Promise.all(underWay),
  }
}
