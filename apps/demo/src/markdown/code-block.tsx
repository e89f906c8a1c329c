import { CopyText } from '@offthread/react/message'
import type { ReactNode } from 'react'
import { ScrollBox } from '../ui/scroll-box.tsx'

interface CodeBlockProps {
  readonly code: string
  /** What the model calls it; may be empty. */
  readonly language: string
}

/** Code, with a button that copies it above: it covers nothing, and is there from the first line on. */
export function CodeBlock({ code, language }: CodeBlockProps): ReactNode {
  return (
    <div className="code-frame">
      <div className="code-head">
        <span>{language.slice(0, 40) || 'code'}</span>
        <CopyText className="copy-button" aria-label="Copy the code" text={() => code} />
      </div>
      <ScrollBox as="pre">
        <code>{code}</code>
      </ScrollBox>
    </div>
  )
}
