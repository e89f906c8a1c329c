import type { Artifact } from '../kernel/tool-result.ts'

/** Bytes that tools returned, beside the log that only names them. */
export interface Artifacts {
  /** Keeps the bytes of one result and gives their labels. Throws a `TypeError`, and keeps none, if they are too many. */
  readonly put: (artifacts: readonly ArtifactBytes[]) => readonly Artifact[]
  /** Forgets the bytes: nobody will name them. */
  readonly drop: (artifactId: string) => void
  readonly get: (artifactId: string) => Blob | undefined
}

interface ArtifactBytes {
  readonly name: string
  readonly mediaType: string
  readonly data: Blob
}

/**
 * Keeps artifacts for as long as the page lives, `limit` bytes at most. A `Blob` is a reference: keeping it copies
 * nothing.
 */
export function createArtifacts(newId: (prefix: string) => string, limit: () => number): Artifacts {
  const blobs = new Map<string, Blob>()

  function check(more: readonly ArtifactBytes[]): void {
    const bytes = sizeOf(more.map(({ data }) => data))
    if (sizeOf([...blobs.values()]) + bytes <= limit()) return
    throw new TypeError(
      `Its files have ${bytes} bytes, which is more than the session may still keep (${limit()} in all). Return less, or raise maxArtifactBytes.`,
    )
  }

  return {
    put: (artifacts) => {
      check(artifacts)
      return artifacts.map(({ name, mediaType, data }) => {
        const artifactId = newId('artifact')
        blobs.set(artifactId, data)
        return { artifactId, name, mediaType, bytes: data.size }
      })
    },
    drop: (artifactId) => void blobs.delete(artifactId),
    get: (artifactId) => blobs.get(artifactId),
  }
}

function sizeOf(blobs: readonly Blob[]): number {
  return blobs.reduce((sum, { size }) => sum + size, 0)
}
