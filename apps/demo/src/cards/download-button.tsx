import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'

interface DownloadButtonProps {
  readonly name: string
  readonly open: () => Blob | undefined
}

/** Downloads a Blob under a name. */
export function DownloadButton({ name, open }: DownloadButtonProps): ReactNode {
  const download = (): void => {
    const blob = open()
    if (!blob) return
    const address = URL.createObjectURL(blob)
    const link = document.createElement('a')
    link.href = address
    link.download = name
    link.click()
    // The browser starts to read the Blob when it handles the click; ten seconds are ample.
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
  }
  return (
    <button
      type="button"
      className="small-button"
      aria-label={`Download ${name}`}
      onClick={download}
    >
      <Icon name="download" />
      Download
    </button>
  )
}
