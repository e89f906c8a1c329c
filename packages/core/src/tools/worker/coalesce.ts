import type { Clock } from '../../internal/clock.ts'
import type { Json } from '../../internal/json.ts'
import type { LogLine, PartialToolResult, ToolProgress } from '../../kernel/tool-result.ts'
import type { CallListener } from '../host.ts'
import type { Credit } from './credit.ts'
import { endlessCredit } from './credit.ts'

/** What a running tool tells, before it is thinned out. */
export interface Outlet {
  readonly update: (partial: PartialToolResult) => void
  readonly progress: (progress: ToolProgress) => void
  readonly log: (line: LogLine) => void
  readonly custom: CallListener['custom']
  /** Tells what is still held back, and nothing after it. */
  readonly close: () => void
}

const flushEveryMs = 50
const maxHeld = 500

interface HeldCustom {
  readonly name: string
  readonly data: Json
  readonly durable: boolean
}

interface Held {
  update?: PartialToolResult
  progress?: ToolProgress
  lines: LogLine[]
  droppedLines: number
  customs: HeldCustom[]
  droppedCustoms: number
}

/**
 * Thins out what a tool tells: the latest update and progress win, log lines and custom events are told in
 * batches of at most 500, everything at most every 50 ms and as far as there is credit. The first of a quiet
 * time is told at once. A custom event that is to be stored is never dropped, and needs no credit.
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
    tell(listener, held, credit.spend)
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
    // What was held back for want of credit; what came since waits for its turn.
    if (!closed && !cancelTimer && !isEmpty(held)) hold(() => {})
  })

  return {
    update: (partial) => hold((held) => (held.update = partial)),
    progress: (progress) => hold((held) => (held.progress = progress)),
    log: (line) => hold((held) => (held.droppedLines += pushBounded(held.lines, line, () => true))),
    custom: (name, data, durable) =>
      hold((held) => {
        held.droppedCustoms += pushBounded(held.customs, { name, data, durable }, isDroppable)
      }),
    close: () => {
      if (closed) return
      closed = true
      cancelTimer?.()
      // The last word is bounded, and waits for nobody.
      tell(listener, held, () => true)
    },
  }
}

function emptyHeld(): Held {
  return { lines: [], droppedLines: 0, customs: [], droppedCustoms: 0 }
}

function isDroppable({ durable }: HeldCustom): boolean {
  return !durable
}

/** Adds to a list that forgets its oldest of those it may forget. Gives how many it forgot. */
function pushBounded<Item>(list: Item[], item: Item, mayForget: (item: Item) => boolean): number {
  list.push(item)
  const oldest = list.length > maxHeld ? list.findIndex(mayForget) : -1
  if (oldest === -1) return 0
  list.splice(oldest, 1)
  return 1
}

/** Tells what is held as long as `spend` allows it, and holds the rest. */
function tell(listener: CallListener, held: Held, spend: () => boolean): void {
  if (held.update && spend()) {
    listener.update(held.update)
    delete held.update
  }
  if (held.progress && spend()) {
    listener.progress(held.progress)
    delete held.progress
  }
  const customs = held.customs.splice(0)
  for (const custom of customs) {
    const { name, data, durable } = custom
    if (durable || spend()) listener.custom(name, data, durable)
    else held.customs.push(custom)
  }
  const lines = held.droppedCustoms === 0 ? held.lines : [...held.lines, lossOf(held)]
  if (lines.length === 0 || !spend()) return
  listener.log(lines, held.droppedLines)
  Object.assign(held, { lines: [], droppedLines: 0, droppedCustoms: 0 })
}

function isEmpty({ update, progress, lines, customs, droppedCustoms }: Held): boolean {
  return !update && !progress && lines.length + customs.length + droppedCustoms === 0
}

/** Log lines carry a count of the dropped; custom events have none, so a line says it. */
function lossOf({ droppedCustoms, lines }: Held): LogLine {
  return {
    level: 'warn',
    text: `${droppedCustoms} custom events were dropped: more than ${maxHeld} were waiting to be told.`,
    t: lines.at(-1)?.t ?? 0,
  }
}
