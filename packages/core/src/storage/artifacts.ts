/** Bytes that tools returned, beside the log that only names them. */
export interface Artifacts {
  /** The most bytes that are kept. */
  readonly limit: () => number
  /** How many of them are used. */
  readonly used: () => number
  /** Keeps bytes, whether there is room or not, and returns their id. */
  readonly keep: (data: ArtifactData) => string
  /** Forgets the bytes, because no event names them. */
  readonly drop: (artifactId: string) => void
  readonly get: (artifactId: string) => Blob | undefined
}

/** The bytes of one artifact. A buffer belongs to the agent, once it was given. */
export type ArtifactData = Blob | ArrayBuffer

/** The options of `createArtifacts`. */
export interface ArtifactOptions extends Pick<Artifacts, 'limit'> {
  readonly newId: (prefix: string) => string
  /** Called with each artifact that is added, and with `null` for one that is removed. */
  readonly onChange: (artifactId: string, data: ArtifactData | null) => void
}

/**
 * Keeps artifacts for as long as the page lives. Keeping copies nothing: a `Blob` is a reference, and one is made of a
 * buffer when it is first asked for.
 */
export function createArtifacts({ newId, limit, onChange }: ArtifactOptions): Artifacts {
  const kept = new Map<string, ArtifactData>()
  let used = 0
  return {
    limit,
    used: () => used,
    keep: (data) => {
      const artifactId = newId('artifact')
      kept.set(artifactId, data)
      used += sizeOf(data)
      onChange(artifactId, data)
      return artifactId
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

export function sizeOf(data: ArtifactData): number {
  return data instanceof Blob ? data.size : data.byteLength
}
