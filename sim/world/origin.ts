import type { Json } from '../../packages/core/src/internal/json.ts'
import { createPageLocks, type Lock, type Locks } from '../../packages/core/src/storage/locks.ts'
import type { MessageFault, MessagePlan } from '../plan.ts'
import type { Scope, Timeline } from './timeline.ts'

/** What the pages of one origin share besides the disk: the locks, and the channel between them. */
export interface Origin {
  readonly visit: (scope: Scope) => Visitor
}

/** One page's way to the other pages. */
export interface Visitor {
  readonly locks: Locks
  readonly connect: (listener: (message: Json) => void) => {
    readonly post: (message: Json) => void
    readonly close: () => void
  }
  /** Calls back now, or when the page is no longer cut off; never when it is gone. */
  readonly tell: (callback: () => void) => void
  /** For so long the page gets and sends no message, and learns of events and of lost locks only at the end. */
  readonly cutOff: (ms: number) => void
  /** The page is gone: what it held is free. */
  readonly leave: () => void
}

export interface OriginOptions {
  readonly timeline: Timeline
  /** Whether pages know of each other's locks, as with Web Locks. */
  readonly sharesLocks: boolean
  readonly nextMessage: () => MessagePlan | undefined
  readonly noteFault: (fault: MessageFault) => void
}

type Member = (message: Json) => void

export function createOrigin(options: OriginOptions): Origin {
  const shared = createPageLocks()
  const members = new Map<Member, Visitor>()
  return {
    visit: (scope) => {
      const held = new Set<Lock>()
      const gone = new AbortController()
      const { tell, cutOff, isCutOff } = createCuts(options.timeline, scope)
      const visitor: Visitor = {
        ...{ tell, cutOff },
        locks: lockedBy(options.sharesLocks ? shared : createPageLocks(), held, gone.signal),
        connect: (listener) => {
          const member: Member = (message) => {
            // A message to a page that is cut off is lost.
            if (!isCutOff() && !scope.gone && members.has(member)) listener(message)
          }
          members.set(member, visitor)
          const post = (message: Json): void => {
            if (isCutOff() || scope.gone) return
            for (const other of members.keys()) if (other !== member) send(options, other, message)
          }
          return { post, close: () => void members.delete(member) }
        },
        leave: () => {
          for (const [member, owner] of members) if (owner === visitor) members.delete(member)
          gone.abort()
          for (const lock of held) lock.release()
        },
      }
      return visitor
    },
  }
}

/** The times at which a page is cut off, and what it learns at their end. */
function createCuts(timeline: Timeline, scope: Scope) {
  let late: (() => void)[] = []
  let cuts = 0
  const tell = (callback: () => void): void => {
    if (scope.gone) return
    if (cuts > 0) late.push(callback)
    else callback()
  }
  const end = (): void => {
    cuts -= 1
    if (cuts > 0) return
    const waiting = late
    late = []
    for (const callback of waiting) tell(callback)
  }
  return {
    tell,
    isCutOff: () => cuts > 0,
    cutOff: (ms: number): void => {
      cuts += 1
      timeline.after(ms, end, scope)
    },
  }
}

function send(
  { timeline, nextMessage, noteFault }: OriginOptions,
  to: Member,
  message: Json,
): void {
  const text = JSON.stringify(message)
  const deliver = (): void => to(JSON.parse(text) as Json)
  const plan = nextMessage()
  if (plan) noteFault(plan.fault)
  if (plan?.fault === 'message_lost') return
  if (plan?.fault === 'message_late') {
    timeline.after(plan.ms, deliver, { gone: false })
    return
  }
  queueMicrotask(deliver)
  if (plan?.fault === 'message_doubled') queueMicrotask(deliver)
}

/** Locks that are given back when their page is gone. */
function lockedBy(locks: Locks, held: Set<Lock>, gone: AbortSignal): Locks {
  return {
    isHeld: locks.isHeld,
    acquire: async (name, mode, signal) => {
      const ended = signal ? AbortSignal.any([signal, gone]) : gone
      const lock = await locks.acquire(name, mode, ended)
      if (!lock) return null
      if (gone.aborted) lock.release()
      const release = (): void => {
        held.delete(own)
        lock.release()
      }
      const own: Lock = { lost: lock.lost, release }
      held.add(own)
      return own
    },
  }
}
