import { storedText, storeText } from '../stored-text.ts'
import { parseJson } from '../text/parse-json.ts'

/** Where a reader was in a conversation: a message, and how far its top was below that of the view, in pixels. */
export interface Place {
  readonly messageId: string
  readonly top: number
}

/** The place at which the reader of this chat was when its page was left in this tab; `null` at the end. */
export function keptPlace(sessionId: string): Place | null {
  const place = parseJson(storedText(keyOf(sessionId), 'sessionStorage') ?? '')
  return isPlace(place) ? place : null
}

export function keepPlace(sessionId: string, place: Place | null): void {
  storeText(keyOf(sessionId), place && JSON.stringify(place), 'sessionStorage')
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
