import type { ReactNode } from 'react'
import { cleanText } from '../text/clean-text.ts'

interface ThinkingProps {
  readonly text: string
  readonly streaming: boolean
}

/** The thinking of a model, collapsed: it is not the answer. */
export function Thinking({ text, streaming }: ThinkingProps): ReactNode {
  return (
    <details className="thinking">
      <summary>{streaming ? 'Thinking…' : 'Thinking'}</summary>
      <p>{text ? cleanText(text) : 'The provider does not show it.'}</p>
    </details>
  )
}
