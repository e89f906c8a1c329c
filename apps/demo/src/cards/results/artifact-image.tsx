import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { useSession } from '../../session.ts'

interface ArtifactImageProps extends Omit<ComponentProps<'img'>, 'src'> {
  readonly artifactId: string | undefined
  readonly alt: string
}

/** An image that a tool returned as a file. Nothing until it is read, or if it is not kept. */
export function ArtifactImage({ artifactId, alt, ...props }: ArtifactImageProps): ReactNode {
  const address = useAddress(artifactId)
  return address && <img src={address} alt={alt} {...props} />
}

function useAddress(artifactId: string | undefined): string | undefined {
  const { agent } = useSession()
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (artifactId === undefined) return
    let own: string | undefined
    let isGone = false
    const show = async (): Promise<void> => {
      const blob = await agent.getArtifact(artifactId)
      if (!blob || isGone) return
      own = URL.createObjectURL(blob)
      setAddress(own)
    }
    // The list of files below says that it cannot be read.
    show().catch(() => {})
    return () => {
      isGone = true
      if (own !== undefined) URL.revokeObjectURL(own)
    }
  }, [agent, artifactId])
  return address
}
