import { patienceMs } from '../../packages/core/src/agent/session/in-time.ts'
import type { DurableEvent } from '../../packages/core/src/kernel/events.ts'
import { memoryStorage } from '../../packages/core/src/storage/memory.ts'
import { type SessionStorage, StorageError } from '../../packages/core/src/storage/port.ts'
import type { AppendFault, AppendPlan, LoadPlan } from '../plan.ts'
import type { Disk } from './disk.ts'
import type { Scope, Timeline } from './timeline.ts'

export interface ConnectionOptions {
  readonly disk: Disk
  readonly timeline: Timeline
  readonly scope: Scope
  readonly latencyMs: number
  readonly nextAppend: () => AppendPlan | undefined
  readonly nextLoad: () => LoadPlan['fault'] | undefined
  readonly noteFault: (fault: AppendFault | LoadPlan['fault']) => void
  /** Each event of an append is stored by itself, so that a crash may leave a part of the append. */
  readonly oneByOne: boolean
}

/** How one page reaches the disk. */
export interface Connection extends SessionStorage {
  /** Writes what is still under way. */
  readonly flush: () => void
  /** Whether an append or a load is under way. */
  readonly isBusy: () => boolean
  /** How many events were confirmed to the page. */
  readonly acknowledged: () => number
}

export function connect(options: ConnectionOptions): Connection {
  const { disk, latencyMs, nextAppend, noteFault } = options
  const wait = createWait(options)
  const writing = createWriting(options, wait)
  let waiting = 0
  let safe = 0

  async function counted<Value>(work: Promise<Value>): Promise<Value> {
    waiting += 1
    try {
      return await work
    } finally {
      waiting -= 1
    }
  }

  async function append(expectedHead: number, events: readonly DurableEvent[]): Promise<void> {
    const plan = nextAppend()
    const ms = plan?.ms ?? latencyMs
    if (plan) noteFault(plan.fault)
    switch (plan?.fault) {
      case undefined:
      case 'slow':
        return writing.later(ms, expectedHead, events)
      case 'lost':
        await wait(ms)
        throw new StorageError('unknown', 'The write was lost.')
      case 'unacknowledged':
        await writing.later(ms, expectedHead, events)
        throw new StorageError('unknown', 'The outcome is unknown.')
      case 'full':
        await wait(ms)
        throw new StorageError('full', 'There is no space.')
      case 'conflict':
        await wait(ms)
        disk.usurp()
        return disk.write(expectedHead, events)
      case 'hangs':
        return new Promise(() => {})
    }
  }

  return {
    ...memoryStorage(),
    read: async (_sessionId, from = 0) => {
      await counted(untilLoaded(options, wait))
      return disk.events().slice(from)
    },
    append: async (_sessionId, { head }, events) => {
      await counted(append(head, events))
      safe = head + events.length
    },
    isBusy: () => waiting > 0,
    acknowledged: () => safe,
    flush: writing.flush,
  }
}

/** What happens to a load. */
async function untilLoaded(
  { nextLoad, noteFault, latencyMs }: ConnectionOptions,
  wait: Wait,
): Promise<void> {
  const fault = nextLoad()
  if (fault) noteFault(fault)
  if (fault === 'load_fails') throw new StorageError('unknown', 'It cannot be read.')
  if (fault === 'load_slow') return wait(50)
  if (fault === undefined) return wait(latencyMs)
  // The page has stopped waiting by now, so the connection does not count as busy.
  await wait(patienceMs + 1)
  throw new StorageError('unknown', 'No answer.')
}

type Wait = (ms: number) => Promise<void>

/** A wait of a page that is gone never ends. */
function createWait({ timeline, scope }: ConnectionOptions): Wait {
  return async (ms) => {
    if (ms > 0) await new Promise<void>((resolve) => timeline.after(ms, resolve, scope))
    else await Promise.resolve()
    if (scope.gone) await new Promise(() => {})
  }
}

/** Appends that take time; the page may be gone before they end. */
function createWriting({ disk, oneByOne }: ConnectionOptions, wait: Wait) {
  const underWay = new Set<() => void>()

  async function later(ms: number, expectedHead: number, events: readonly DurableEvent[]) {
    const rest = [...events]
    let head = expectedHead
    const flush = (): void => {
      disk.write(head, rest)
      rest.length = 0
    }
    underWay.add(flush)
    try {
      while (oneByOne && rest.length > 1) {
        await wait(ms)
        disk.write(head, rest.splice(0, 1))
        head += 1
      }
      await wait(ms)
      flush()
    } finally {
      underWay.delete(flush)
    }
  }

  return {
    later,
    flush: (): void => {
      for (const write of underWay) write()
      underWay.clear()
    },
  }
}
