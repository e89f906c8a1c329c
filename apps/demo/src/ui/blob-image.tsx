import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'

interface BlobImageProps extends Omit<ComponentProps<'img'>, 'src'> {
  /** Reads the image; a new function reads it again. */
  readonly open: () => Promise<Blob | undefined>
  readonly alt: string
}

/** An image that is kept as bytes. Nothing until it is read, or if it is not kept. */
export function BlobImage({ open, alt, ...props }: BlobImageProps): ReactNode {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    let own: string | undefined
    let isGone = false
    const show = async (): Promise<void> => {
      const blob = await open()
      if (!blob || isGone) return
      own = URL.createObjectURL(blob)
      setAddress(own)
    }
    // If it cannot be read, the place that names the file says so.
    show().catch(() => {})
    return () => {
      isGone = true
      if (own !== undefined) URL.revokeObjectURL(own)
    }
  }, [open])
  return address && <img src={address} alt={alt} {...props} />
}
