import { memo, type ReactNode, useEffect, useReducer, useState } from 'react'
import { LongText } from '../text/long-text.tsx'
import { inPlace } from '../ui/in-place.ts'
import { createBlockReader } from './block-reader.ts'
import { KeptSelection } from './kept-selection.tsx'
import { turns } from './turns.ts'

interface MarkdownProps {
  readonly text: string
  readonly streaming: boolean
}

/**
 * Markdown from a model. It becomes React elements, never HTML. A long text appears piece by piece, and so do many texts,
 * a few pieces in a frame, so that the page stays free; what is too much to format follows as plain text.
 */
export const Markdown = memo(function Markdown({ text, streaming }: MarkdownProps): ReactNode {
  // The reader remembers only text. If React renders twice, the reader is only further ahead.
  const [reader] = useState(createBlockReader)
  const [place] = useState(turns.join)
  const isTurn = turns.isOpen(place)
  const { blocks, end, nodes, isFull } = isTurn ? reader.read(text, streaming) : reader.last()
  turns.spend(isTurn ? nodes : 0)
  const isBehind = !isTurn || (end < text.length && !isFull)
  useTurn(place, isBehind ? text.length - end : undefined)
  return (
    <KeptSelection>
      <div className="md">
        {inPlace(blocks, (element) => element)}
        {isFull && end < text.length && <LongText text={text.slice(end)} name="answer" />}
      </div>
    </KeptSelection>
  )
})

/** Renders again when it is the turn of this text, if anything of it is left to draw. */
function useTurn(place: number, chars: number | undefined): void {
  const [, callback] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    turns.renew()
    if (chars === undefined) turns.leave(place)
    else turns.wait(place, { callback, chars })
  })
  useEffect(() => () => turns.leave(place), [place])
}
