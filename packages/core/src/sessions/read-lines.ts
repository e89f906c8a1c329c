import { untilAborted } from '../internal/abort.ts'
import { SessionError } from './session-error.ts'

interface Reading {
  /** Bytes of all lines at most. */
  readonly maxBytes: number
  /** The most bytes of one line: a whole line is in memory. */
  readonly maxLineBytes: number
  readonly signal: AbortSignal
}

const lineFeed = 10

/**
 * The lines of a stream, each with its line feed; the last one may have none. The stream is ended in any case. Throws a
 * `SessionError` for what is over a limit.
 */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  { maxBytes, maxLineBytes, signal }: Reading,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = stream.getReader()
  let total = 0
  let pieces: Uint8Array[] = []
  let size = 0
  const add = (piece: Uint8Array): void => {
    size += piece.length
    if (size > maxLineBytes) throw tooLarge('One of its lines', maxLineBytes)
    // A copy: the stream may use its buffer again.
    if (piece.length > 0) pieces.push(piece.slice())
  }
  const take = (): Uint8Array => {
    const line = joined(pieces, size)
    pieces = []
    size = 0
    return line
  }
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal)
      if (done) break
      total += value.length
      if (total > maxBytes) throw tooLarge('It', maxBytes)
      let from = 0
      for (let at = value.indexOf(lineFeed); at >= 0; at = value.indexOf(lineFeed, from)) {
        add(value.subarray(from, at + 1))
        from = at + 1
        yield take()
      }
      add(value.subarray(from))
    }
    if (size > 0) yield take()
  } finally {
    // Not awaited, because a source may never answer.
    reader.cancel().catch(() => {})
  }
}

export function tooLarge(what: string, limit: number, unit = 'bytes'): SessionError {
  return new SessionError(
    'too_large',
    `${what} has more than ${limit} ${unit}. If you trust the file, import it with a higher limit.`,
  )
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
