import type { Artifact } from '../kernel/tool-result.ts'

/** Bytes that tools returned, beside the log that only names them. */
export interface Artifacts {
  /** Keeps the bytes and gives their label. */
  readonly put: (artifact: ArtifactBytes) => Artifact
  /** Forgets the bytes: nobody will name them. */
  readonly drop: (artifactId: string) => void
  readonly get: (artifactId: string) => Blob | undefined
}

interface ArtifactBytes {
  readonly name: string
  readonly mediaType: string
  readonly data: Blob
}

/** Keeps artifacts for as long as the page lives. A `Blob` is a reference: keeping it copies nothing. */
export function createArtifacts(newId: (prefix: string) => string): Artifacts {
  const blobs = new Map<string, Blob>()
  return {
    put: ({ name, mediaType, data }) => {
      const artifactId = newId('artifact')
      blobs.set(artifactId, data)
      return { artifactId, name, mediaType, bytes: data.size }
    },
    drop: (artifactId) => void blobs.delete(artifactId),
    get: (artifactId) => blobs.get(artifactId),
  }
}
