import { visibleText } from '@offthread/react'
import { memo, type ReactNode, useMemo, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { inPlace } from '../ui/in-place.ts'
import { MoreButton } from '../ui/more-button.tsx'
import { ScrollBox } from '../ui/scroll-box.tsx'
import { download } from './download.ts'
import { layoutWeight } from './layout-weight.ts'
import { placeToCut } from './place-to-cut.ts'
import { formatBytes } from './quantity.ts'

const pieceSize = 8000
const piecesAtOnce = 4
const smallestPiece = 1000

interface TextProps {
  readonly text: string
  /** The name of the file if it is downloaded. */
  readonly name: string
  readonly className?: string
}

/** Plain text of any length. Its start is shown; the rest on demand, and as a download. */
export function LongText({ text, name, className = 'code-box' }: TextProps): ReactNode {
  const [count, setCount] = useState(piecesAtOnce)
  const pieces = useMemo(() => firstPieces(text, count), [text, count])
  const left = pieces.reduce((length, piece) => length - piece.length, text.length)
  return (
    <>
      <ScrollBox as="pre" className={className}>
        {text === '' && <span className="quiet">(empty text)</span>}
        {inPlace(pieces, (piece) => (
          <Piece text={piece} />
        ))}
      </ScrollBox>
      {left > 0 && (
        <p className="row small too-long">
          {formatBytes(left)} more.
          <MoreButton onClick={() => setCount(count + piecesAtOnce)}>Show more</MoreButton>
          <DownloadButton
            name={`${name}.txt`}
            open={() => new Blob([text], { type: 'text/plain' })}
          />
        </p>
      )}
    </>
  )
}

/** A paragraph as it was written, unless it is long. */
export function PlainText(props: TextProps): ReactNode {
  if (props.text.length > pieceSize) return <LongText {...props} />
  return <p className={props.className}>{props.text}</p>
}

/** A box of its own, so that the page lays out only the pieces that are in view. */
export const Piece = memo(function Piece({ text }: { readonly text: string }): ReactNode {
  return <span className="text-piece">{text}</span>
})

function firstPieces(text: string, count: number): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length && pieces.length < count; ) {
    const size = sizeOfPiece(text.slice(at, at + pieceSize))
    const ahead = text.slice(at, at + size + 1)
    const piece = ahead.slice(0, placeToCut(ahead, size))
    pieces.push(piece)
    at += piece.length
  }
  return pieces
}

/** Invisible characters are shown as marks, which are longer: many of them make a piece shorter, as slow letters do. */
function sizeOfPiece(ahead: string): number {
  let shown = 0
  for (let at = 0; at < ahead.length; at += smallestPiece) {
    shown += layoutWeight(visibleText(ahead.slice(at, at + smallestPiece)))
    if (shown > pieceSize) return Math.max(smallestPiece, at)
  }
  return pieceSize
}

interface DownloadButtonProps {
  readonly name: string
  readonly open: () => Blob | Promise<Blob | undefined>
  /** What the button says. */
  readonly word?: string
}

export function DownloadButton({ name, open, word = 'Download' }: DownloadButtonProps): ReactNode {
  const save = async (): Promise<void> => {
    const blob = await open()
    if (blob) download(name, blob)
  }
  return (
    <Button aria-label={`${word} ${name}`} onClick={() => void save()}>
      <Icon name="download" />
      {word}
    </Button>
  )
}
