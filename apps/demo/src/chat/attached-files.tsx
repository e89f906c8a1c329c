import { type ReactNode, useCallback, useState } from 'react'
import type { AttachedFile } from '../files/attached-line.ts'
import { isImageName } from '../files/file-kinds.ts'
import { useSession } from '../session.ts'
import { BlobImage } from '../ui/blob-image.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FileChip } from '../ui/file-chip.tsx'
import { inPlace } from '../ui/in-place.ts'
import { useSome } from '../ui/use-some.tsx'

/** The files that came with a message, images as small pictures. */
export function AttachedFiles({ files }: { readonly files: readonly AttachedFile[] }): ReactNode {
  const { some, more } = useSome(files, 'file')
  if (files.length === 0) return null
  const images = some.flatMap(({ name, digest }) =>
    digest !== undefined && isImageName(name) ? [{ name, digest }] : [],
  )
  return (
    <>
      {images.length > 0 && (
        <div className="wrap attached-images">
          {inPlace(images, (image) => (
            <AttachedImage {...image} />
          ))}
        </div>
      )}
      <ul className="wrap file-chips" aria-label="Attached files">
        {inPlace(some, ({ name, bytes }) => (
          <FileChip name={name} bytes={bytes} />
        ))}
      </ul>
      {more}
    </>
  )
}

/** A small picture, which opens. */
function AttachedImage({ name, digest }: { readonly name: string; readonly digest: string }) {
  const { findFile } = useSession()
  const open = useCallback(() => findFile(digest), [findFile, digest])
  const [isUnseen, setIsUnseen] = useState(false)
  const [isOpen, setOpen] = useState(false)
  if (isUnseen) {
    return (
      <p className="soft attached-unseen">
        {name} is kept, but cannot be shown: it is no image, or larger than this browser can draw.
      </p>
    )
  }
  return (
    <>
      <Button className="attached-image" title="Open" onClick={() => setOpen(true)}>
        <BlobImage open={open} alt={name} decoding="async" onError={() => setIsUnseen(true)} />
      </Button>
      <Dialog title={name} isOpen={isOpen} onClose={() => setOpen(false)}>
        <BlobImage className="opened-image" open={open} alt={name} />
      </Dialog>
    </>
  )
}
