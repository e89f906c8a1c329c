import type { DurableEvent } from '../../packages/core/src/kernel/events.ts'
import type { SessionStorage } from '../../packages/core/src/storage/port.ts'
import { StorageError } from '../../packages/core/src/storage/port.ts'
import type { AppendFault, AppendPlan } from '../plan.ts'
import type { Scope, Timeline } from './timeline.ts'

/** What is durable, whatever happens to the page. As JSON texts: nobody can change it from outside. */
export interface Disk {
  readonly texts: string[]
  readonly events: () => readonly DurableEvent[]
}

export function createDisk(events: readonly DurableEvent[] = []): Disk {
  const texts = events.map((event) => JSON.stringify(event))
  return { texts, events: () => texts.map((text) => JSON.parse(text) as DurableEvent) }
}

export interface DiskOptions {
  readonly disk: Disk
  readonly timeline: Timeline
  readonly scope: Scope
  readonly latencyMs: number
  readonly nextAppend: () => AppendPlan | undefined
  readonly noteFault: (fault: AppendFault) => void
  /** Every event of an append is stored by itself: a crash may leave a part of it. */
  readonly oneByOne: boolean
}

/** One page's way to the disk. */
export interface Connection extends SessionStorage {
  /** Writes what is still on its way. */
  readonly flush: () => void
  /** Somebody waits for an append or a load. */
  readonly isBusy: () => boolean
  /** Somebody else wrote the session: this page may not any more. */
  readonly isUsurped: () => boolean
}

export function connect(options: DiskOptions): Connection {
  const { disk, timeline, scope, latencyMs, nextAppend, noteFault, oneByOne } = options
  const underWay = new Set<() => void>()
  let waiting = 0
  let usurped = false

  async function counted<Value>(work: Promise<Value>): Promise<Value> {
    waiting += 1
    try {
      return await work
    } finally {
      waiting -= 1
    }
  }

  function write(expectedHead: number, events: readonly DurableEvent[]): void {
    if (disk.texts.length !== expectedHead) {
      throw new StorageError('conflict', `There are ${disk.texts.length} events.`)
    }
    disk.texts.push(...events.map((event) => JSON.stringify(event)))
  }

  /** Time goes on for nobody who is gone. */
  async function wait(ms: number): Promise<void> {
    if (ms > 0) await new Promise<void>((resolve) => timeline.after(ms, resolve, scope))
    else await Promise.resolve()
    if (scope.gone) await new Promise(() => {})
  }

  /** Writes after a while; the page may be gone before. */
  async function writeLater(ms: number, expectedHead: number, events: readonly DurableEvent[]) {
    const rest = [...events]
    let head = expectedHead
    const flush = (): void => {
      write(head, rest)
      rest.length = 0
    }
    underWay.add(flush)
    try {
      while (oneByOne && rest.length > 1) {
        await wait(ms)
        write(head, rest.splice(0, 1))
        head += 1
      }
      await wait(ms)
      flush()
    } finally {
      underWay.delete(flush)
    }
  }

  async function append(expectedHead: number, events: readonly DurableEvent[]): Promise<void> {
    const plan = nextAppend()
    const ms = plan?.ms ?? latencyMs
    if (plan) noteFault(plan.fault)
    switch (plan?.fault) {
      case undefined:
      case 'slow':
        return writeLater(ms, expectedHead, events)
      case 'lost':
        await wait(ms)
        throw new StorageError('unknown', 'The write was lost.')
      case 'unacknowledged':
        await writeLater(ms, expectedHead, events)
        throw new StorageError('unknown', 'Nobody knows what came of it.')
      case 'full':
        await wait(ms)
        throw new StorageError('full', 'There is no space.')
      case 'conflict':
        await wait(ms)
        usurped = true
        disk.texts.push(JSON.stringify(foreignEvent(disk.texts.length)))
        return write(expectedHead, events)
      case 'hangs':
        return new Promise(() => {})
    }
  }

  return {
    load: () => counted(wait(latencyMs).then(disk.events)),
    append: (_sessionId, expectedHead, events) => counted(append(expectedHead, events)),
    isBusy: () => waiting > 0,
    isUsurped: () => usurped,
    flush: () => {
      for (const write of underWay) write()
      underWay.clear()
    },
  }
}

/** Somebody else opened the session. */
function foreignEvent(seq: number): DurableEvent {
  return {
    v: 1,
    seq,
    ts: 1_700_000_000_000,
    sessionId: 'session',
    runId: null,
    turn: 0,
    type: 'session_opened',
    bootId: `foreign_${seq}`,
  }
}
