import type { Clock } from '../../packages/core/src/internal/clock.ts'
import type { Random } from './random.ts'

/** The page that a timer belongs to. Timers of a page that is gone do not fire. */
export interface Scope {
  gone: boolean
}

/** Settles when that much virtual time has passed. */
export type Wait = (ms: number) => Promise<void>

/** Virtual time: it jumps from one timer to the next. */
export interface Timeline {
  readonly now: () => number
  /** Calls back once after `ms`, unless the returned function is called or its scope is gone before. */
  readonly after: (ms: number, callback: () => void, scope: Scope) => () => void
  /** Moves to the next timer and fires it. Returns whether there was one. */
  readonly next: () => boolean
  /** When the next is due. `null` when nothing is. */
  readonly nextAt: () => number | null
}

interface Timer {
  readonly at: number
  /** Of timers that are due at the same time the lowest is first. */
  readonly tie: number
  readonly scope: Scope
  callback: (() => void) | null
}

/** A timeline that starts at 0. The order of timers due at the same time is random, so that nothing depends on it. */
export function createTimeline(random: Random): Timeline {
  const heap: Timer[] = []
  let time = 0

  function drop(): void {
    while (heap[0] && (heap[0].callback === null || heap[0].scope.gone)) pop(heap)
  }

  return {
    now: () => time,
    after: (ms, callback, scope) => {
      const timer: Timer = { at: time + Math.max(0, ms), tie: random(), scope, callback }
      push(heap, timer)
      return () => {
        timer.callback = null
      }
    },
    next: () => {
      drop()
      const timer = pop(heap)
      if (!timer) return false
      time = timer.at
      const { callback } = timer
      timer.callback = null
      callback?.()
      return true
    },
    nextAt: () => {
      drop()
      return heap[0]?.at ?? null
    },
  }
}

/** The clock of one page, with the timers it has set. */
export interface WatchedClock extends Clock {
  /** The waiting times of all timers that are set. */
  readonly pending: () => readonly number[]
}

/** A clock on a timeline. Its epoch is not a round number, so that a duration cannot be mistaken for a time. */
export function createClock(timeline: Timeline, scope: Scope): WatchedClock {
  const pending = new Map<object, number>()
  return {
    now: () => 1_700_000_000_000 + timeline.now(),
    monotonic: timeline.now,
    setTimer: (ms, callback) => {
      const timer = {}
      pending.set(timer, ms)
      const cancel = timeline.after(
        ms,
        () => {
          pending.delete(timer)
          callback()
        },
        scope,
      )
      return () => {
        pending.delete(timer)
        cancel()
      }
    },
    pending: () => [...pending.values()],
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.at === b.at ? a.tie < b.tie : a.at < b.at
}

function push(heap: Timer[], timer: Timer): void {
  let index = heap.length
  while (index > 0) {
    const above = (index - 1) >> 1
    const parent = heap[above]
    if (!parent || !isBefore(timer, parent)) break
    heap[index] = parent
    index = above
  }
  heap[index] = timer
}

function pop(heap: Timer[]): Timer | undefined {
  const first = heap[0]
  const last = heap.pop()
  if (!first || !last || first === last) return first
  let index = 0
  for (;;) {
    const left = heap[2 * index + 1]
    const right = heap[2 * index + 2]
    const lesser = left && right && isBefore(right, left) ? right : left
    if (!lesser || !isBefore(lesser, last)) break
    heap[index] = lesser
    index = 2 * index + (lesser === left ? 1 : 2)
  }
  heap[index] = last
  return first
}
