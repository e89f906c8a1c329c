import { type ComponentProps, type ReactNode, useCallback } from 'react'
import { useSession } from '../../session.ts'
import { BlobImage } from '../../ui/blob-image.tsx'

interface ArtifactImageProps extends Omit<ComponentProps<'img'>, 'src'> {
  readonly artifactId: string | undefined
  readonly alt: string
}

/** An image that a tool returned as a file. */
export function ArtifactImage({ artifactId, ...props }: ArtifactImageProps): ReactNode {
  const { agent } = useSession()
  const open = useCallback(
    async () => (artifactId === undefined ? undefined : agent.getArtifact(artifactId)),
    [agent, artifactId],
  )
  return <BlobImage open={open} {...props} />
}
