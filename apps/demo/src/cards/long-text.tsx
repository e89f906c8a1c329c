import type { ReactNode } from 'react'
import { cleanText } from '../text/clean-text.ts'
import { formatBytes } from '../text/quantity.ts'
import { ScrollBox } from '../ui/scroll-box.tsx'
import { DownloadButton } from './download-button.tsx'

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
