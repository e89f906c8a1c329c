import type { Artifact, ToolResult } from '../kernel/tool-outcome.ts'
import { type Artifacts, sizeOf } from '../storage/artifacts.ts'
import type { NewArtifact, ReturnedResult } from '../tools/host.ts'

/**
 * Keeps the artifacts of a result, and returns the result with their ids in place of their bytes. Throws a `TypeError`,
 * and keeps none, if those that the tool returned are too large; those that hold the full result are kept as far as there
 * is room.
 */
export function keepArtifacts(
  { artifacts = [], ...result }: ReturnedResult,
  store: Artifacts,
): ToolResult {
  const room = () => store.limit() - store.used()
  const given = artifacts.filter(({ isFullResult }) => !isFullResult)
  const bytes = given.reduce((sum, { data }) => sum + sizeOf(data), 0)
  if (bytes > room()) {
    throw new TypeError(
      `Its files have ${bytes} bytes, which is more than the session may still keep (${store.limit()} in all). Return less, or raise maxArtifactBytes.`,
    )
  }
  const kept = given.map((one) => labelled(one, store))
  for (const one of artifacts) {
    if (one.isFullResult && sizeOf(one.data) <= room()) kept.push(labelled(one, store))
  }
  return { ...result, ...(kept.length > 0 && { artifacts: kept }) }
}

function labelled(
  { name, mediaType, data, isFullResult }: NewArtifact,
  store: Artifacts,
): Artifact {
  const bytes = sizeOf(data)
  return {
    artifactId: store.keep(data),
    name,
    mediaType,
    bytes,
    ...(isFullResult && { isFullResult }),
  }
}
