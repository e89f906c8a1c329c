import { charsOf, maxCopied } from '../../internal/chars-of.ts'
import type { Clock } from '../../internal/clock.ts'
import { defined } from '../../internal/defined.ts'
import { yieldToPage } from '../../internal/yield-to-page.ts'
import { type AgentEvent, isDurable } from '../../kernel/events.ts'
import { createCallNotices } from './call-notices.ts'
import { isAfter, type Place, placeOf } from './live-place.ts'
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
  const catchUp = createCatchUp(say)

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

  function start(): void {
    // Followers that are there already need only this. The `catch_up` is for the new one.
    post()
    isWatched = true
    posted = at
    void catchUp.post(notices.open(), at)
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
    start: () => catchUp.whenDone(start),
    stop: () => {
      unsubscribe()
      cancelTimer?.()
      catchUp.stop()
    },
  }
}

/**
 * Posts how the open calls stand: in pieces, because they may have said megabytes. What is new goes between the pieces: a
 * follower that has read only some of them keeps it until the last one.
 */
function createCatchUp(say: (said: Said) => void) {
  let status: 'idle' | 'posting' | 'stopped' = 'idle'
  let next: (() => void) | null = null

  async function post(events: readonly AgentEvent[], at: Place): Promise<void> {
    status = 'posting'
    let rest: readonly AgentEvent[] = events.toSorted(byPlace)
    let after: Place | undefined
    while (status === 'posting') {
      const piece = rest.slice(0, countOfPiece(rest))
      rest = rest.slice(piece.length)
      const [last] = rest.length > 0 ? piece.slice(-1) : []
      const upTo = last && placeOf(last)
      say({ say: 'catch_up', at, events: piece, ...defined({ after, upTo }) })
      if (!upTo) return end()
      after = upTo
      await yieldToPage()
    }
  }

  function end(): void {
    status = 'idle'
    next?.()
    next = null
  }

  return {
    post,
    /** Calls back when nothing is being posted: at once, or once after the last piece. */
    whenDone: (callback: () => void): void => {
      if (status === 'posting') next = callback
      else callback()
    },
    stop: (): void => {
      status = 'stopped'
    },
  }
}

function byPlace(one: AgentEvent, other: AgentEvent): number {
  const [first, second] = [placeOf(one), placeOf(other)]
  return Number(isAfter(first, second)) - Number(isAfter(second, first))
}

/** How many events make one message. Those of one place stay together, because a follower counts by places. */
function countOfPiece(events: readonly AgentEvent[]): number {
  let length = 0
  const end = events.findIndex((event, index) => {
    const before = events[index - 1]
    if (length > maxCopied && before && isAfter(placeOf(event), placeOf(before))) return true
    length += charsOf(event)
    return false
  })
  return end === -1 ? events.length : end
}
