import type { Artifact } from '../kernel/tool-result.ts'

/** Bytes that tools returned, beside the log that only names them. */
export interface Artifacts {
  /**
   * Keeps the bytes of one result and gives their labels. Throws a `TypeError`, and keeps none, if those that the
   * tool gave are too many; what was cut from the result is kept as far as there is room.
   */
  readonly put: (artifacts: readonly ArtifactBytes[]) => readonly Artifact[]
  /** Forgets the bytes: nobody will name them. */
  readonly drop: (artifactId: string) => void
  readonly get: (artifactId: string) => Blob | undefined
}

interface ArtifactBytes {
  readonly name: string
  readonly mediaType: string
  readonly data: Blob
  /** What was cut from the result. */
  readonly isUncut?: true
}

/**
 * Keeps artifacts for as long as the page lives, `limit` bytes at most. A `Blob` is a reference: keeping it copies
 * nothing.
 */
export function createArtifacts(newId: (prefix: string) => string, limit: () => number): Artifacts {
  const blobs = new Map<string, Blob>()

  function room(): number {
    return limit() - sizeOf([...blobs.values()])
  }

  function keep({ name, mediaType, data }: ArtifactBytes): Artifact {
    const artifactId = newId('artifact')
    blobs.set(artifactId, data)
    return { artifactId, name, mediaType, bytes: data.size }
  }

  return {
    put: (artifacts) => {
      const given = artifacts.filter(({ isUncut }) => !isUncut)
      const bytes = sizeOf(given.map(({ data }) => data))
      if (bytes > room()) {
        throw new TypeError(
          `Its files have ${bytes} bytes, which is more than the session may still keep (${limit()} in all). Return less, or raise maxArtifactBytes.`,
        )
      }
      const uncut = artifacts.filter(({ isUncut }) => isUncut)
      return [
        ...given.map(keep),
        ...uncut.flatMap((one) => (one.data.size > room() ? [] : [keep(one)])),
      ]
    },
    drop: (artifactId) => void blobs.delete(artifactId),
    get: (artifactId) => blobs.get(artifactId),
  }
}

function sizeOf(blobs: readonly Blob[]): number {
  return blobs.reduce((sum, { size }) => sum + size, 0)
}
