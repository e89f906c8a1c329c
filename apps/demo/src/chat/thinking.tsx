import type { ReactNode } from 'react'
import { cleanText } from '../text/clean-text.ts'

interface ThinkingProps {
  readonly text: string
  readonly streaming: boolean
}

/** What the model thought, folded away: it is not the answer. */
export function Thinking({ text, streaming }: ThinkingProps): ReactNode {
  return (
    <details className="thinking">
      <summary>{streaming ? 'Thinking…' : 'Thinking'}</summary>
      <p>{text ? cleanText(text) : 'The provider keeps this to itself.'}</p>
    </details>
  )
}
