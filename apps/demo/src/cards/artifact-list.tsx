import type { Artifact } from '@offthread/core'
import type { ReactNode } from 'react'
import { useSession } from '../session.ts'
import { formatBytes } from '../text/quantity.ts'
import { DownloadButton } from './download-button.tsx'

/** The bytes a tool returned beside its result. */
export function ArtifactList({
  artifacts,
}: {
  readonly artifacts: readonly Artifact[]
}): ReactNode {
  const { agent } = useSession()
  return (
    <ul className="artifact-list">
      {artifacts.map(({ artifactId, name, bytes }) => (
        <li key={artifactId}>
          <span className="artifact-name">{name}</span>
          <span className="quiet">{formatBytes(bytes)}</span>
          <DownloadButton name={name} open={() => agent.getArtifact(artifactId)} />
        </li>
      ))}
    </ul>
  )
}
