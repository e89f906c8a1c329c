import type { Clock } from '../../internal/clock.ts'
import { type AgentEvent, isDurable } from '../../kernel/events.ts'
import type { Part } from '../../kernel/message.ts'
import { createCallNotices } from './call-notices.ts'
import { type Place, placeOf } from './live-place.ts'
import type { SessionPorts } from './ports.ts'
import type { Said } from './wish.ts'

/** Posts what followers do not get from the storage. */
export interface LiveShare {
  /** Posts how the open calls stand, and from now on what comes: there is a follower. */
  readonly start: () => void
  readonly stop: () => void
}

/** Milliseconds for which events that are not stored are collected before they are posted. */
const collectMs = 50
/** With more characters they are posted at once: a message takes time of the page, and no text is of any length. */
const mostCollected = 4_000_000
/** What counts for data, whose length is not known. It has at most 2 MB. */
const usualData = 50_000

export function createLiveShare(
  { state, subscribe }: Pick<SessionPorts, 'state' | 'subscribe'>,
  say: (said: Said) => void,
  clock: Clock,
): LiveShare {
  const notices = createCallNotices()
  let at: Place = { seq: state().nextSeq - 1, sub: 0 }
  let posted = at
  let collected: AgentEvent[] = []
  let length = 0
  let isWatched = false
  let cancelTimer: (() => void) | null = null

  function post(): void {
    const events = collected
    const after = posted
    collected = []
    length = 0
    cancelTimer?.()
    cancelTimer = null
    const last = events.at(-1)
    if (!last) return
    posted = placeOf(last)
    say({ say: 'live', after, events })
  }

  const unsubscribe = subscribe((event) => {
    at = placeOf(event)
    notices.note(event)
    if (!isWatched) return
    // It comes before what is stored after it: of a call that has ended nothing counts any more.
    if (isDurable(event)) return post()
    collected.push(event)
    length += lengthOf(event)
    if (length > mostCollected) post()
    else cancelTimer ??= clock.setTimer(collectMs, post)
  })
  return {
    start: () => {
      // Followers have it with this message already, and need no other.
      post()
      isWatched = true
      posted = at
      say({ say: 'catch_up', at, events: notices.open() })
    },
    stop: () => {
      unsubscribe()
      cancelTimer?.()
    },
  }
}

/** About how many characters an event has as text. */
function lengthOf(event: AgentEvent): number {
  switch (event.type) {
    case 'tool_execution_update':
      return lengthOfParts(event.partialResult.content) + usualData
    case 'tool_log':
      return event.lines.reduce((sum, { text }) => sum + text.length, 0)
    case 'tool_custom':
      return usualData
    default:
      return 100
  }
}

function lengthOfParts(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text : part.data).length, 0)
}
