import { messageOf } from '../../internal/message-of.ts'
import type { Claim } from '../../storage/port.ts'
import type { RoleOptions } from './role.ts'

/** The bytes of artifacts, beside a stored session. */
export interface Files {
  /** Stores the bytes of an artifact, or removes them, if the agent owns the session. */
  readonly keep: (artifactId: string, data: Blob | ArrayBuffer | null) => void
  /** Resolves when no file is being written. */
  readonly kept: () => Promise<unknown>
}

/** `claimed` returns the agent's claim. Without one nothing is stored, because no event would name the file. */
export function createFiles(
  { write }: RoleOptions['ports'],
  claimed: () => Claim | undefined,
): Files {
  const underWay = new Set<Promise<void>>()
  return {
    // The bytes are handed over before the event that names them: a storage keeps the order.
    keep: (artifactId, data) => {
      const claim = claimed()
      if (!claim) return
      const bytes = data instanceof ArrayBuffer ? new Blob([data]) : data
      const written = claim
        .keepBytes(artifactId, bytes)
        .catch((error: unknown) => {
          if (!bytes) return
          const message = `The file ${artifactId} is not stored and ends with this page: ${messageOf(error)}`
          write({ type: 'warning', code: 'artifact_not_stored', message })
        })
        .finally(() => underWay.delete(written))
      underWay.add(written)
    },
    kept: () => Promise.all(underWay),
  }
}
