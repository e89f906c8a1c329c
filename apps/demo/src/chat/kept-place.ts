/** Where a reader was in a conversation: a message, and how far its top was below that of the view, in pixels. */
export interface Place {
  readonly messageId: string
  readonly top: number
}

/** The place at which the reader of this chat was when its page was left in this tab; `null` at the end. */
export function keptPlace(sessionId: string): Place | null {
  try {
    const place: unknown = JSON.parse(sessionStorage.getItem(keyOf(sessionId)) ?? 'null')
    return isPlace(place) ? place : null
  } catch {
    return null
  }
}

export function keepPlace(sessionId: string, place: Place | null): void {
  try {
    if (place) sessionStorage.setItem(keyOf(sessionId), JSON.stringify(place))
    else sessionStorage.removeItem(keyOf(sessionId))
  } catch {
    // The chat then opens at its end.
  }
}

/** Where the view is; `null` while it follows the end. `messageIds`: of the messages that are mounted, in order. */
export function placeIn(scroller: HTMLElement, messageIds: readonly string[]): Place | null {
  if (scroller.dataset['following'] !== 'false') return null
  const { top } = scroller.getBoundingClientRect()
  for (const [index, message] of articlesIn(scroller).entries()) {
    const box = message.getBoundingClientRect()
    const messageId = messageIds[index]
    if (box.bottom > top && messageId !== undefined) return { messageId, top: box.top - top }
  }
  return null
}

/** Scrolls to a place. Without its message nothing happens. */
export function scrollToPlace(
  scroller: HTMLElement,
  messageIds: readonly string[],
  place: Place,
): void {
  const message = articlesIn(scroller)[messageIds.indexOf(place.messageId)]
  if (!message) return
  const top = message.getBoundingClientRect().top - scroller.getBoundingClientRect().top
  scroller.scrollTop += top - place.top
}

function articlesIn(scroller: HTMLElement): readonly HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>('article')]
}

function keyOf(sessionId: string): string {
  return `offthread-place ${sessionId}`
}

function isPlace(value: unknown): value is Place {
  const isObject = typeof value === 'object' && value !== null
  return isObject && 'messageId' in value && 'top' in value && typeof value.top === 'number'
}
