import { Lexer } from 'marked'

/** Splits markdown into the source texts of its top-level blocks. */
export interface BlockReader {
  /** The blocks of a text. If it continues the previous text, only its end is parsed. */
  readonly read: (text: string) => readonly string[]
}

/**
 * Splits growing markdown. A block is closed when two more have started: until then the next
 * characters can still change where it ends (`2` may become `2.` and so the list's next item). Closed
 * blocks are not parsed again, and keep their identity for `memo`.
 */
export function createBlockReader(): BlockReader {
  let seen = ''
  let closed: readonly string[] = []
  let closedLength = 0
  return {
    read: (text) => {
      if (!text.startsWith(seen)) {
        closed = []
        closedLength = 0
      }
      seen = text
      const rest = split(text.slice(closedLength))
      const settled = rest.slice(0, -2)
      if (settled.length > 0) {
        closed = [...closed, ...settled.map(({ raw }) => raw)]
        closedLength += settled.reduce((length, { spaced }) => length + spaced, 0)
      }
      return [...closed, ...rest.slice(-2).map(({ raw }) => raw)]
    },
  }
}

interface Piece {
  readonly raw: string
  /** Its length with the blank lines around it. */
  readonly spaced: number
}

function split(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let blank = 0
  for (const { type, raw } of new Lexer().blockTokens(text)) {
    const last = pieces.at(-1)
    if (type !== 'space') {
      pieces.push({ raw, spaced: blank + raw.length })
      blank = 0
    } else if (last) {
      pieces[pieces.length - 1] = { ...last, spaced: last.spaced + raw.length }
    } else {
      blank += raw.length
    }
  }
  return pieces
}
