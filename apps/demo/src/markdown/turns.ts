/** What a commit of the page may add, in nodes of markdown: a chat of ordinary answers opens at once. */
const mostNodes = 3000
/** What one frame reads of all texts, in characters. */
const mostChars = 6000

let left = mostNodes
let newest = 0
let frame = 0
const waiting = new Map<number, Waiting>()
/** The texts that were called back, and are not drawn since. */
const called = new Set<number>()

interface Waiting {
  readonly callback: () => void
  /** How much of the text is not drawn yet. */
  readonly chars: number
}

/** A page may show many texts, and can bear the nodes of few in a frame: so they take turns. */
export const turns = {
  /** Another text is there. Returns its number. */
  join: (): number => ++newest,

  /**
   * Whether a text may read on in this render. One that waits may not: it would read once here, and once more when it is
   * called in the same frame.
   */
  isOpen: (text: number): boolean => left > 0 && !waiting.has(text),

  /** Counts what a text has read in this render. */
  spend: (nodes: number): void => {
    left -= nodes
  },

  /** All that was read is on the page now. */
  renew: (): void => {
    left = mostNodes
  },

  /** A text is drawn, and there is more of it: it is called back once, in one of the next frames. */
  wait: (text: number, turn: Waiting): void => {
    called.delete(text)
    if (waiting.size === 0) frame = requestAnimationFrame(serve)
    waiting.set(text, turn)
  },

  /** A text is drawn to its end, or gone. */
  leave: (text: number): void => {
    called.delete(text)
    if (waiting.delete(text) && waiting.size === 0) cancelAnimationFrame(frame)
  },
}

/**
 * The last text comes first: it is in view when a chat opens. The others follow from the top, because what grows moves all
 * that is drawn below it. It calls no text while React still has to draw those of the frame before: a busy page would
 * draw both frames' texts in one task.
 */
function serve(): void {
  if (called.size === 0) callNext()
  if (waiting.size > 0) frame = requestAnimationFrame(serve)
}

function callNext(): void {
  let read = 0
  const placeOf = ([text]: readonly [number, Waiting]): number => (text === newest ? 0 : text)
  const inOrder = [...waiting].toSorted((one, other) => placeOf(one) - placeOf(other))
  for (const [text, { callback, chars }] of inOrder) {
    if (read >= mostChars) break
    read += chars
    waiting.delete(text)
    called.add(text)
    callback()
  }
}
