import type { ReactNode } from 'react'
import { memo, useState } from 'react'
import { cleanText } from '../text/clean-text.ts'
import { inPlace } from '../ui/in-place.ts'
import { Block } from './block.tsx'
import { createBlockReader } from './block-reader.ts'

const mostChars = 300_000

interface MarkdownProps {
  readonly text: string
  readonly streaming: boolean
}

/** Markdown from a model. It becomes React elements, never HTML. While it grows, only its end is parsed again. */
export const Markdown = memo(function Markdown({ text, streaming }: MarkdownProps): ReactNode {
  // The reader's memory depends on the text alone, so rendering twice gives the same result.
  const [reader] = useState(createBlockReader)
  if (text.length > mostChars) return <pre className="md md-plain">{text}</pre>
  const blocks = reader.read(cleanText(text).replaceAll('\r\n', '\n'))
  return (
    <div className="md">
      {inPlace(blocks, (raw, index) => (
        <Block raw={raw} open={streaming && index === blocks.length - 1} />
      ))}
    </div>
  )
})
