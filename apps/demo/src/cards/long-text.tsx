import type { ReactNode } from 'react'
import { cleanText } from '../text/clean-text.ts'
import { formatBytes } from '../text/quantity.ts'
import { Icon } from '../ui/icon.tsx'
import { ScrollBox } from '../ui/scroll-box.tsx'

const mostShown = 256_000

interface LongTextProps {
  readonly text: string
  /** The name of the file if it is downloaded. */
  readonly name: string
  readonly className?: string
}

/** Plain text. If it is too long to show, it is offered as a download. */
export function LongText({ text, name, className = 'code-box' }: LongTextProps): ReactNode {
  if (text.length > mostShown) {
    return (
      <p className="too-long">
        {formatBytes(text.length)} of text, too much to show.
        <DownloadButton
          name={`${name}.txt`}
          open={() => new Blob([text], { type: 'text/plain' })}
        />
      </p>
    )
  }
  return (
    <ScrollBox as="pre" className={className}>
      {text === '' ? <span className="quiet">(empty text)</span> : cleanText(text)}
    </ScrollBox>
  )
}

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
