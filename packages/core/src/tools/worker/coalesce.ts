import type { Clock } from '../../internal/clock.ts'
import type { Json } from '../../internal/json.ts'
import type { LogLine, PartialToolResult, ToolProgress } from '../../kernel/tool-outcome.ts'
import type { CallListener, CallNotice } from '../host.ts'
import type { Credit } from './credit.ts'
import { endlessCredit } from './credit.ts'

/** Takes what a running tool sends, before it is coalesced. */
export interface Outlet {
  readonly update: (partial: PartialToolResult) => void
  readonly progress: (progress: ToolProgress) => void
  readonly log: (line: LogLine) => void
  readonly custom: (name: string, data: Json, durable: boolean) => void
  /** Sends what is still held back; what comes later is dropped. */
  readonly close: () => void
}

const flushEveryMs = 50
const maxHeld = 500

type Custom = Extract<CallNotice, { readonly type: 'custom' }>

interface Held {
  update?: PartialToolResult
  progress?: ToolProgress
  lines: LogLine[]
  droppedLines: number
  customs: Custom[]
  droppedCustoms: number
}

/**
 * Coalesces what a tool sends: the latest update and progress win, log lines and custom events are sent in batches
 * of at most 500, everything at most every 50 ms and as far as there is credit. After a quiet time the first is sent
 * at once. A custom event that is to be stored is never dropped, and needs no credit.
 */
export function coalesce(
  listener: CallListener,
  clock: Clock,
  credit: Credit = endlessCredit,
): Outlet {
  const held = emptyHeld()
  let lastFlush = Number.NEGATIVE_INFINITY
  let cancelTimer: (() => void) | undefined
  let closed = false

  const flush = () => {
    cancelTimer?.()
    cancelTimer = undefined
    lastFlush = clock.monotonic()
    send(listener, held, credit.spend)
  }

  const hold = (change: (held: Held) => void) => {
    if (closed) return
    change(held)
    // A tool that never yields lets no timer fire: its own calls are the only chance.
    const wait = lastFlush + flushEveryMs - clock.monotonic()
    if (wait <= 0) flush()
    else cancelTimer ??= clock.setTimer(wait, flush)
  }

  credit.onRefill(() => {
    // Sends what was held back for want of credit. Where a timer is set, that will send it.
    if (!closed && !cancelTimer && !isEmpty(held)) hold(() => {})
  })

  return {
    update: (partial) => hold((held) => (held.update = partial)),
    progress: (progress) => hold((held) => (held.progress = progress)),
    log: (line) => hold((held) => (held.droppedLines += pushBounded(held.lines, line, () => true))),
    custom: (name, data, durable) =>
      hold((held) => {
        const custom = { type: 'custom', name, data, durable } as const
        held.droppedCustoms += pushBounded(held.customs, custom, isDroppable)
      }),
    close: () => {
      if (closed) return
      closed = true
      cancelTimer?.()
      // What is left is bounded, so it needs no credit.
      send(listener, held, () => true)
    },
  }
}

function emptyHeld(): Held {
  return { lines: [], droppedLines: 0, customs: [], droppedCustoms: 0 }
}

function isDroppable({ durable }: Custom): boolean {
  return !durable
}

/** Adds to a list of bounded length; the oldest item that may be forgotten makes room. Returns how many were forgotten. */
function pushBounded<Item>(list: Item[], item: Item, mayForget: (item: Item) => boolean): number {
  list.push(item)
  const oldest = list.length > maxHeld ? list.findIndex(mayForget) : -1
  if (oldest === -1) return 0
  list.splice(oldest, 1)
  return 1
}

/** Sends what is held as long as `spend` allows it, and keeps the rest. */
function send(listener: CallListener, held: Held, spend: () => boolean): void {
  if (held.update && spend()) {
    listener({ type: 'update', partial: held.update })
    delete held.update
  }
  if (held.progress && spend()) {
    listener({ type: 'progress', progress: held.progress })
    delete held.progress
  }
  const customs = held.customs.splice(0)
  for (const custom of customs) {
    if (custom.durable || spend()) listener(custom)
    else held.customs.push(custom)
  }
  const lines = held.droppedCustoms === 0 ? held.lines : [...held.lines, lossOf(held)]
  if (lines.length === 0 || !spend()) return
  listener({ type: 'log', lines, dropped: held.droppedLines })
  Object.assign(held, { lines: [], droppedLines: 0, droppedCustoms: 0 })
}

function isEmpty({ update, progress, lines, customs, droppedCustoms }: Held): boolean {
  return !update && !progress && lines.length + customs.length + droppedCustoms === 0
}

/** The log has a count of dropped lines. Dropped custom events have no such place, so a line says how many. */
function lossOf({ droppedCustoms, lines }: Held): LogLine {
  return {
    level: 'warn',
    text: `${droppedCustoms} custom events were dropped: more than ${maxHeld} were waiting to be sent.`,
    t: lines.at(-1)?.t ?? 0,
  }
}
