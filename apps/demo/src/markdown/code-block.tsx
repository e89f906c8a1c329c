import { CopyText } from '@offthread/react/message'
import type { ReactNode } from 'react'
import { ScrollBox } from '../ui/scroll-box.tsx'

interface CodeBlockProps {
  readonly code: string
  /** The language that the model names; may be empty. */
  readonly language: string
}

/** Code, and above it a button that copies it, so that the button covers no code. */
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
