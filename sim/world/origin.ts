import type { Json } from '../../packages/core/src/internal/json.ts'
import { createPageLocks, type Lock, type Locks } from '../../packages/core/src/storage/locks.ts'
import type { MessageFault, MessagePlan } from '../plan.ts'
import type { Scope, Timeline } from './timeline.ts'

/** What the pages of one origin share besides the disk: the locks, and the channel between them. */
export interface Origin {
  readonly visit: (scope: Scope) => Visitor
  /** Whether every message has reached the pages that it was for. */
  readonly hasAll: () => boolean
}

/** One page's way to the other pages. */
export interface Visitor {
  readonly locks: Locks
  readonly connect: (listener: (message: Json) => void) => {
    readonly post: (message: Json) => void
    readonly close: () => void
  }
  /** Calls back now, or when the page is no longer cut off; never when it is gone. */
  readonly deliver: (callback: () => void) => void
  /**
   * For this many milliseconds the page gets and sends no message, and learns of events and of lost locks only at the
   * end.
   */
  readonly cutOff: (ms: number) => void
  readonly isCutOff: () => boolean
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
  const post = createPost(options)
  return {
    hasAll: post.hasAll,
    visit: (scope) => {
      const held = new Set<Lock>()
      const gone = new AbortController()
      const { deliver, cutOff, isCutOff } = createCuts(options.timeline, scope)
      const visitor: Visitor = {
        ...{ deliver, cutOff, isCutOff },
        locks: lockedBy(options.sharesLocks ? shared : createPageLocks(), held, gone.signal),
        connect: (listener) => {
          const member: Member = (message) => {
            // A message to a page that is cut off is lost.
            if (isCutOff()) post.lose()
            else if (!scope.gone && members.has(member)) listener(message)
          }
          members.set(member, visitor)
          return {
            post: (message) => {
              if (isCutOff()) post.lose()
              else if (!scope.gone)
                post.send(
                  [...members.keys()].filter((one) => one !== member),
                  message,
                )
            },
            close: () => void members.delete(member),
          }
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
  const deliver = (callback: () => void): void => {
    if (scope.gone) return
    if (cuts > 0) late.push(callback)
    else callback()
  }
  const end = (): void => {
    cuts -= 1
    if (cuts > 0) return
    const waiting = late
    late = []
    for (const callback of waiting) deliver(callback)
  }
  return {
    deliver,
    isCutOff: () => cuts > 0,
    cutOff: (ms: number): void => {
      cuts += 1
      timeline.after(ms, end, scope)
    },
  }
}

/** Delivers messages as JSON, with what the plan says of each. */
function createPost({ timeline, nextMessage, noteFault }: OriginOptions) {
  let isComplete = true
  let late = 0

  function sendTo(member: Member, message: Json): void {
    const text = JSON.stringify(message)
    const deliver = (): void => member(JSON.parse(text) as Json)
    const plan = nextMessage()
    if (plan) noteFault(plan.fault)
    if (plan?.fault === 'message_lost') {
      isComplete = false
      return
    }
    if (plan?.fault === 'message_late') {
      late += 1
      const deliverLate = (): void => {
        late -= 1
        deliver()
      }
      timeline.after(plan.ms, deliverLate, { gone: false })
      return
    }
    queueMicrotask(deliver)
    if (plan?.fault === 'message_doubled') queueMicrotask(deliver)
  }

  return {
    send: (members: readonly Member[], message: Json): void => {
      for (const member of members) sendTo(member, message)
    },
    lose: (): void => {
      isComplete = false
    },
    hasAll: () => isComplete && late === 0,
  }
}

/** Locks that are given back when their page is gone. */
function lockedBy(locks: Locks, held: Set<Lock>, gone: AbortSignal): Locks {
  return {
    held: locks.held,
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
