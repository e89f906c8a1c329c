import { type ReactNode, useCallback, useState } from 'react'
import type { AttachedFile } from '../files/attached-line.ts'
import { isImageName } from '../files/file-kinds.ts'
import { useSession } from '../session.ts'
import { BlobImage } from '../ui/blob-image.tsx'
import { FileChip } from '../ui/file-chip.tsx'

/** The files that came with a message. Images are shown. */
export function AttachedFiles({ files }: { readonly files: readonly AttachedFile[] }): ReactNode {
  if (files.length === 0) return null
  return (
    <>
      {files.map(
        ({ name, digest }) =>
          digest !== undefined &&
          isImageName(name) && <AttachedImage key={digest} name={name} digest={digest} />,
      )}
      <ul className="file-chips" aria-label="Attached files">
        {files.map(({ name, bytes }) => (
          <FileChip key={name} name={name} bytes={bytes} />
        ))}
      </ul>
    </>
  )
}

function AttachedImage({ name, digest }: { readonly name: string; readonly digest: string }) {
  const { findFile } = useSession()
  const open = useCallback(() => findFile(digest), [findFile, digest])
  const [isUnseen, setIsUnseen] = useState(false)
  if (isUnseen) {
    return (
      <p className="attached-unseen">
        {name} is kept, but cannot be shown: it is no image, or larger than this browser can draw.
      </p>
    )
  }
  return (
    <BlobImage
      className="attached-image"
      open={open}
      alt={name}
      decoding="async"
      onError={() => setIsUnseen(true)}
    />
  )
}
