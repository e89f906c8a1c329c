import type { Clock } from '../../internal/clock.ts'
import { createDeferred } from '../../internal/deferred.ts'
import type { Json } from '../../internal/json.ts'
import type { LogLine, PartialToolResult, ToolProgress } from '../../kernel/tool-outcome.ts'
import type { CallListener, CallNotice } from '../host.ts'
import { maxStoredEvents } from '../protocol.ts'
import { type Credit, endlessCredit } from './credit.ts'
import { cutFlood, maxWaiting, maxWaitingChars, takeMessage, takeMessages } from './cut-flood.ts'

/** Takes what a running tool sends. */
export interface Outlet {
  readonly update: (partial: PartialToolResult) => void
  readonly progress: (progress: ToolProgress) => void
  readonly log: (line: LogLine) => void
  readonly custom: (name: string, data: Json, durable: boolean) => void
  /** Sends what is still held back, and resolves when that is on its way; what comes later is dropped. */
  readonly close: () => Promise<void>
}

export interface CoalesceOptions {
  readonly clock: Clock
  /** Default: everything may be sent at once. */
  readonly credit?: Credit | undefined
  /** Default 50. */
  readonly updateIntervalMs?: number | undefined
}

/** Also of a tool with a longer interval words and events are sent so often, as they are not coalesced. */
const usualIntervalMs = 50

/** How many more than may wait are cut at once: each cut looks at all of them. */
const maxExcess = 500
const mostChars = 1.25 * maxWaitingChars

/**
 * Sends a tool's messages in their order, at most every `updateIntervalMs` and as far as there is credit. Only updates
 * and repeated numbers of one progress are coalesced: the latest wins. After a quiet time the first message is sent at
 * once. With an interval of 0 nothing is coalesced.
 */
export function coalesce(listener: CallListener, options: CoalesceOptions): Outlet {
  const { clock, credit = endlessCredit, updateIntervalMs = usualIntervalMs } = options
  const shortest = Math.min(updateIntervalMs, usualIntervalMs)
  const latest = createLatest()
  // The waiting messages in their order. A set, because coalescing removes messages from the middle.
  let waiting = new Set<CallNotice>()
  const finished = createDeferred<void>()
  const weight = createWeight(credit)
  let stored = 0
  let lastFlush = Number.NEGATIVE_INFINITY
  // Whether messages wait for credit.
  let isShort = false
  let closed = false

  const send = () => {
    while (waiting.size > 0 && credit.isLeft(closed)) {
      const message = takeMessage(waiting)
      if (!message) break
      credit.spend(message)
      listener(message)
    }
    isShort = waiting.size > 0
    if (closed && !isShort) finished.resolve()
  }
  const flush = () => {
    alarm.clear()
    lastFlush = clock.monotonic()
    send()
  }
  const alarm = createAlarm(clock, flush)
  const cut = () => {
    waiting = new Set(cutFlood(waiting, { isKept: latest.isKept, charsOf: credit.charsOf }))
    weight.noteCut(waiting)
  }
  const say = (notice: CallNotice) => {
    if (closed) return
    if (isStored(notice) && ++stored > maxStoredEvents) throw new TypeError(tooManyStored)
    const replaced = latest.replace(notice)
    if (replaced && updateIntervalMs > 0) waiting.delete(replaced)
    waiting.add(notice)
    if (weight.isTooMuch(notice, waiting)) cut()
    // While a tool never yields, no timer fires, so each of its messages checks whether it is time to send.
    const isNews = notice.type !== 'log' && !latest.has(notice)
    const due = lastFlush + (isNews ? shortest : updateIntervalMs)
    if (due <= clock.monotonic()) flush()
    else alarm.setTo(due)
  }

  credit.onRefill(() => {
    if (isShort) send()
  })

  return {
    ...noticesTo(say),
    close: () => {
      if (!closed) {
        closed = true
        alarm.clear()
        cut()
        waiting = new Set(takeMessages(waiting))
        send()
      }
      return finished.promise
    },
  }
}

/** How much waits. */
function createWeight({ charsOf }: Credit) {
  let cutAt = maxWaiting + maxExcess
  // At least those that wait: what was sent, or replaced, still counts until they are summed again.
  let chars = 0
  const sum = (waiting: Iterable<CallNotice>): void => {
    chars = 0
    for (const notice of waiting) chars += charsOf(notice)
  }
  return {
    /** Whether it is too much with this notice, which waits now as well. */
    isTooMuch: (notice: CallNotice, waiting: ReadonlySet<CallNotice>): boolean => {
      chars += charsOf(notice)
      if (chars > mostChars) sum(waiting)
      return chars > mostChars || waiting.size > cutAt
    },
    /** `waiting`: what is left. It may be more than may wait: some is never left out. */
    noteCut: (waiting: ReadonlySet<CallNotice>): void => {
      cutAt = waiting.size + maxExcess
      sum(waiting)
    },
  }
}

/** Rings once, at the earliest of the moments that it was set to. */
function createAlarm(clock: Clock, ring: () => void) {
  let at = Number.POSITIVE_INFINITY
  let cancel = (): void => {}
  const clear = (): void => {
    cancel()
    at = Number.POSITIVE_INFINITY
  }
  return {
    clear,
    setTo: (due: number) => {
      if (due >= at) return
      clear()
      at = due
      cancel = clock.setTimer(due - clock.monotonic(), ring)
    },
  }
}

function noticesTo(say: (notice: CallNotice) => void): Omit<Outlet, 'close'> {
  return {
    update: (partial) => say({ type: 'update', partial }),
    progress: (progress) => say({ type: 'progress', progress }),
    log: (line) => say({ type: 'log', lines: [line], dropped: 0 }),
    custom: (name, data, durable) => say({ type: 'custom', name, data, durable }),
  }
}

function isStored(notice: CallNotice): boolean {
  return notice.type === 'custom' && notice.durable
}

/** Remembers the latest update, and the latest report of a progress that only changed its numbers. */
function createLatest() {
  let update: CallNotice | undefined
  let numbers: CallNotice | undefined
  let progress: ToolProgress = {}
  const has = (notice: CallNotice) => notice === update || notice === numbers
  return {
    has,
    /** Whether it is not left out of a flood. */
    isKept: (notice: CallNotice) => isStored(notice) || has(notice),
    /** Returns the notice that this one replaces. */
    replace: (notice: CallNotice): CallNotice | undefined => {
      const before = notice.type === 'update' ? update : numbers
      if (notice.type === 'update') {
        update = notice
        return before
      }
      if (notice.type !== 'progress') return undefined
      const isRepeat = repeats(notice.progress, progress)
      numbers = isRepeat ? notice : undefined
      progress = notice.progress
      return isRepeat ? before : undefined
    },
  }
}

/** Whether a report differs from the one before in its numbers only. */
function repeats(progress: ToolProgress, before: ToolProgress): boolean {
  const { status, message, unit, value, total } = progress
  const isSame = status === before.status && message === before.message && unit === before.unit
  return isSame && (value !== undefined || total !== undefined)
}

const tooManyStored = `A call may store ${maxStoredEvents} events. Send the others without durable, or return them as an artifact of the result.`
