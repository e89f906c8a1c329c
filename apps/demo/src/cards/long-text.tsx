import type { ReactNode } from 'react'
import { cleanText } from '../text/clean-text.ts'
import { formatBytes } from '../text/quantity.ts'
import { DownloadButton } from './download-button.tsx'

const mostShown = 256_000

interface LongTextProps {
  readonly text: string
  /** The name of the file, should it be downloaded. */
  readonly name: string
  readonly className?: string
}

/** Text as it is. More than a page can show well is offered as a file instead. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <pre className={className} tabIndex={0}>
      {text === '' ? <span className="quiet">(empty text)</span> : cleanText(text)}
    </pre>
  )
}
