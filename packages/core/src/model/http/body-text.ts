import { platformClock } from '../../internal/clock.ts'
import { yieldToPage } from '../../internal/yield-to-page.ts'

/** The text of a body, piece by piece. */
export interface BodyText {
  /** The next piece, or `undefined` after the last one. */
  readonly next: () => Promise<string | undefined>
  /** Closes the connection. Not awaited: a body that hangs would hang its reader, too. */
  readonly close: () => void
}

/** Characters that are read at once, before the page may run other tasks. */
const pieceChars = 16_384

/** Opens a body by its reader: not every browser can iterate one. */
export function openText({ body }: Response): BodyText {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let start = 0
  return {
    next: async () => {
      await yieldToPage()
      if (start >= text.length) {
        const piece = await reader?.read()
        if (!piece?.value) return undefined
        text = decoder.decode(piece.value, { stream: true })
        start = 0
      }
      start += pieceChars
      return text.slice(start - pieceChars, start)
    },
    close: () => void reader?.cancel().catch(() => undefined),
  }
}

/** Characters of an error answer: its sentence stands in front. */
const longestError = 64 * 1024

/** Milliseconds that it may take: its status says the most. */
const errorPatienceMs = 3000

/** The start of the text of an error answer; if it breaks off or takes long, the part that arrived. */
export async function startOfText(response: Response): Promise<string> {
  const body = openText(response)
  const stop = platformClock.setTimer(errorPatienceMs, body.close)
  let text = ''
  try {
    while (text.length <= longestError) {
      const piece = await body.next()
      if (piece === undefined) break
      text += piece
    }
  } catch {
    // Without the text the status still says enough.
  } finally {
    stop()
    body.close()
  }
  return text
}
