import { memo, type ReactNode, useEffect, useReducer, useState } from 'react'
import { LongText } from '../text/long-text.tsx'
import { inPlace } from '../ui/in-place.ts'
import { createBlockReader } from './block-reader.ts'

interface MarkdownProps {
  readonly text: string
  readonly streaming: boolean
}

/**
 * Markdown from a model. It becomes React elements, never HTML. A long text appears piece by piece, one in a frame, so
 * that the page stays free; what is too much to format follows as plain text.
 */
export const Markdown = memo(function Markdown({ text, streaming }: MarkdownProps): ReactNode {
  // The reader remembers only text. If React renders twice, the reader is only further ahead.
  const [reader] = useState(createBlockReader)
  const { blocks, end, isFull } = reader.read(text, streaming)
  useNextFrame(end < text.length && !isFull)
  return (
    <div className="md">
      {inPlace(blocks, (element) => element)}
      {isFull && end < text.length && <LongText text={text.slice(end)} name="answer" />}
    </div>
  )
})

/** Renders again in the next frame. */
function useNextFrame(wanted: boolean): void {
  const [, again] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (!wanted) return
    const frame = requestAnimationFrame(again)
    return () => cancelAnimationFrame(frame)
  })
}
