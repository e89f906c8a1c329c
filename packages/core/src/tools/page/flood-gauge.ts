import type { Clock } from '../../internal/clock.ts'
import { soon } from './soon.ts'

/** A worker that is further ahead than this is out of control. */
const mostAheadMs = 2000

/**
 * While the page is further behind its workers, each may post only so many messages, and one more in each second: far more
 * than one that waits for the page.
 */
const mostBehindMs = 500
const mostWhileBehind = 100

/** The page counts as even with its workers when it is no further behind. */
const evenMs = 16

/**
 * Measures how far a worker is ahead of the page. Each message puts it ahead by one millisecond and twice the time that
 * reading it takes, and passing time brings it back. So messages of any kind count alike: many small ones, a few big
 * ones.
 */
export interface FloodGauge {
  /** Call it with each message that arrives, before it is read. */
  readonly noteArrival: () => void
  /** Call it after each reading, with the time at which it began. */
  readonly noteReading: (startedAt: number) => void
  /** Call it when the worker is allowed more messages. */
  readonly noteCredit: () => void
  /** Whether the worker is out of control. */
  readonly isFlood: () => boolean
  /** Whether the page is far behind: all workers together, or what waits for its thread. */
  readonly isBehind: () => boolean
  /** Milliseconds until the worker is not ahead any more. */
  readonly aheadMs: () => number
  readonly close: () => void
}

/**
 * What all workers of a page together have cost it. By themselves several that flood at once would never be found out,
 * since each gets only a part of the page's time.
 */
interface PageGauge {
  evenAt: number
}

/** By the clock of the page, which tests replace. */
const pages = new WeakMap<Clock, PageGauge>()

/** Milliseconds that a message costs the page besides its reading. */
const takingMs = 0.2

export function createFloodGauge(clock: Clock): FloodGauge {
  const now = clock.monotonic
  const page = pages.get(clock) ?? { evenAt: 0 }
  pages.set(clock, page)
  let evenAt = 0
  let [posted, postedSince] = [0, 0]
  /**
   * The next turn of the page after a message. What workers post costs time that no message shows: it is copied and
   * collected, and takes the cores. So a page whose turn does not come is behind, too.
   */
  let turn: { readonly since: number; readonly cancel: () => void } | undefined

  const behindMs = () => page.evenAt - now()
  const isBehind = () =>
    behindMs() > mostBehindMs || (turn !== undefined && now() - turn.since > mostBehindMs)
  const add = (at: number, [own, ofPage]: readonly [own: number, ofPage: number]) => {
    evenAt = Math.max(evenAt, at) + own
    page.evenAt = Math.max(page.evenAt, at) + ofPage
  }
  const takeTurn = () => {
    turn = undefined
    if (behindMs() <= evenMs) posted = 0
  }
  return {
    noteArrival: () => {
      const at = now()
      turn ??= { since: at, cancel: soon(clock, takeTurn) }
      if (posted === 0) postedSince = at
      posted += 1
      add(at, [1, takingMs])
    },
    noteReading: (startedAt) => {
      const costMs = 2 * (now() - startedAt)
      add(startedAt, [costMs, costMs])
    },
    noteCredit: () => {
      posted = 0
    },
    isFlood: () => {
      const mayPost = mostWhileBehind + (now() - postedSince) / 1000
      return (posted > mayPost && isBehind()) || evenAt - now() > mostAheadMs
    },
    isBehind,
    aheadMs: () => Math.max(0, evenAt - now(), behindMs()),
    close: () => turn?.cancel(),
  }
}

export const floodText: string = `The worker posted more than the page can take: ${mostAheadMs} messages at once, or fewer big ones.`
