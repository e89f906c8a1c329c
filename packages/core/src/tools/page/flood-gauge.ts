/** A worker that is further ahead than this is out of control. */
const mostAheadMs = 2000

/**
 * While the page is further behind all its workers together, each may post only so many messages: far more than one that
 * waits for the page.
 */
const mostBehindMs = 500
const mostWhileBehind = 100

/** The page counts as even with its workers when it is no further behind. */
const evenMs = 16

/**
 * Measures how far a worker is ahead of the page. Each message puts it ahead by one millisecond and twice the time that
 * reading it took, and passing time brings it back. So messages of any kind count alike: many small ones, a few big
 * ones.
 */
export interface FloodGauge {
  /**
   * Call it after each message with the time at which its reading began. Returns whether the worker is out of control.
   */
  readonly note: (startedAt: number) => boolean
  /** Milliseconds until the worker is not ahead any more. */
  readonly aheadMs: () => number
}

/**
 * What all workers of a page together have cost it. By themselves several that flood at once would never be found out,
 * since each gets only a part of the page's time.
 */
interface PageGauge {
  evenAt: number
  /** Grows whenever the page is found even with its workers. */
  evenTimes: number
}

/** By the clock of the page, which tests replace. */
const pages = new WeakMap<() => number, PageGauge>()

/** Milliseconds that a message costs the page besides its reading. */
const takingMs = 0.2

export function createFloodGauge(now: () => number): FloodGauge {
  const page = pages.get(now) ?? { evenAt: 0, evenTimes: 0 }
  pages.set(now, page)
  let evenAt = 0
  let [posted, postedAfter] = [0, 0]
  const behindMs = (at: number) => {
    if (page.evenAt - at <= evenMs) page.evenTimes += 1
    return page.evenAt - at
  }
  return {
    note: (startedAt) => {
      const costMs = 2 * (now() - startedAt)
      behindMs(startedAt)
      posted = postedAfter === page.evenTimes ? posted + 1 : 1
      postedAfter = page.evenTimes
      evenAt = Math.max(evenAt, startedAt) + 1 + costMs
      page.evenAt = Math.max(page.evenAt, startedAt) + takingMs + costMs
      const isTooMany = posted > mostWhileBehind && behindMs(now()) > mostBehindMs
      return isTooMany || evenAt - now() > mostAheadMs
    },
    aheadMs: () => Math.max(0, evenAt - now(), behindMs(now())),
  }
}

export const floodText: string = `The worker posted more than the page can take: ${mostAheadMs} messages at once, or fewer big ones.`
