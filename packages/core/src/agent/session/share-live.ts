import { charsOf, maxCopied } from '../../internal/chars-of.ts'
import type { Clock } from '../../internal/clock.ts'
import { type AgentEvent, isDurable } from '../../kernel/events.ts'
import { createCallNotices } from './call-notices.ts'
import { type Place, placeOf } from './live-place.ts'
import type { SessionPorts } from './ports.ts'
import type { Said } from './wish.ts'

/** Posts what followers do not get from the storage. */
export interface LiveShare {
  /** There is a follower: posts how the open calls stand, and from now on each new event. */
  readonly start: () => void
  readonly stop: () => void
}

/** Milliseconds for which events that are not stored are collected before they are posted. */
const collectMs = 50

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
  let postedAt = clock.monotonic()
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
    postedAt = clock.monotonic()
    say({ say: 'live', after, events })
  }

  const unsubscribe = subscribe((event) => {
    at = placeOf(event)
    notices.note(event)
    if (!isWatched) return
    // Posts what came before this durable event: after it, for instance, a notice about a call that has ended does not
    // count.
    if (isDurable(event)) return post()
    collected.push(event)
    length += charsOf(event)
    // A large message holds the page while it is copied. And a page in the background has its timers a second late.
    if (length > maxCopied || clock.monotonic() - postedAt >= collectMs) post()
    else cancelTimer ??= clock.setTimer(collectMs, post)
  })
  return {
    start: () => {
      // Followers that are there already need only this. The `catch_up` is for the new one.
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
