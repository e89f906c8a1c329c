import type { Artifact } from '../kernel/tool-outcome.ts'

/** Bytes that tools returned, beside the log that only names them. */
export interface Artifacts {
  /**
   * Keeps the bytes of one result and returns their labels. Throws a `TypeError`, and keeps none, if those that the
   * tool returned are too many; files of the full result are kept as far as there is room.
   */
  readonly put: (artifacts: readonly ArtifactBytes[]) => readonly Artifact[]
  /** Forgets the bytes, because no event names them. */
  readonly drop: (artifactId: string) => void
  readonly get: (artifactId: string) => Blob | undefined
}

interface ArtifactBytes {
  readonly name: string
  readonly mediaType: string
  readonly data: Blob | ArrayBuffer
  readonly isFullResult?: true
}

/** The options of `createArtifacts`. */
export interface ArtifactOptions {
  readonly newId: (prefix: string) => string
  /** The most bytes that are kept. */
  readonly limit: () => number
  /** Called with each artifact that is added, and with `null` for one that is removed. */
  readonly onChange: (artifactId: string, data: Blob | ArrayBuffer | null) => void
}

/**
 * Keeps artifacts for as long as the page lives. Keeping copies nothing: a `Blob` is a reference, and one is made of a
 * buffer when it is first asked for.
 */
export function createArtifacts({ newId, limit, onChange }: ArtifactOptions): Artifacts {
  const kept = new Map<string, Blob | ArrayBuffer>()
  let used = 0

  function keep({ name, mediaType, data, isFullResult }: ArtifactBytes): Artifact {
    const artifactId = newId('artifact')
    kept.set(artifactId, data)
    used += sizeOf(data)
    onChange(artifactId, data)
    const bytes = sizeOf(data)
    return { artifactId, name, mediaType, bytes, ...(isFullResult && { isFullResult }) }
  }

  return {
    put: (artifacts) => {
      const given = artifacts.filter(({ isFullResult }) => !isFullResult)
      const bytes = given.reduce((sum, { data }) => sum + sizeOf(data), 0)
      if (used + bytes > limit()) {
        throw new TypeError(
          `Its files have ${bytes} bytes, which is more than the session may still keep (${limit()} in all). Return less, or raise maxArtifactBytes.`,
        )
      }
      const labels = given.map(keep)
      const full = artifacts.filter(({ isFullResult }) => isFullResult)
      return [
        ...labels,
        ...full.flatMap((one) => (used + sizeOf(one.data) > limit() ? [] : [keep(one)])),
      ]
    },
    drop: (artifactId) => {
      const data = kept.get(artifactId)
      if (!data || !kept.delete(artifactId)) return
      used -= sizeOf(data)
      onChange(artifactId, null)
    },
    get: (artifactId) => {
      const data = kept.get(artifactId)
      if (!(data instanceof ArrayBuffer)) return data
      const blob = new Blob([data])
      kept.set(artifactId, blob)
      return blob
    },
  }
}

function sizeOf(data: Blob | ArrayBuffer): number {
  return data instanceof Blob ? data.size : data.byteLength
}
