import type { EventOf, QueuedInput } from './events.ts'
import type { QueueSource } from './steering.ts'

type QueueEvent = EventOf<'queue_update'>

/** A place of an input in the log while it waited in its queue. */
interface QueueUse {
  readonly event: QueueEvent
  readonly index: number
}

/** Finds the places in which what is delivered from a queue has waited. */
export interface QueueUses {
  /** The queues are others now. */
  readonly note: (event: QueueEvent) => void
  /** Takes the first input from its queue, and returns its places. */
  readonly take: (source: QueueSource) => readonly QueueUse[]
}

interface Waiting {
  readonly input: QueuedInput
  readonly uses: QueueUse[]
}

interface Queues {
  readonly steering: readonly Waiting[]
  readonly followUp: readonly Waiting[]
}

const queueOf = { steering: 'steering', follow_up: 'followUp' } as const

/** Each event states whole queues: what is in its place and equal is the same input. */
export function createQueueUses(): QueueUses {
  let queues: Queues = { steering: [], followUp: [] }

  function noted(before: readonly Waiting[], inputs: readonly QueuedInput[], event: QueueEvent) {
    return inputs.map((input, index): Waiting => {
      const known = before[index]
      const waiting = known && isSame(known.input, input) ? known : { input, uses: [] }
      waiting.uses.push({ event, index })
      return waiting
    })
  }

  return {
    note: (event) => {
      queues = {
        steering: noted(queues.steering, event.steering, event),
        followUp: noted(queues.followUp, event.followUp, event),
      }
    },
    take: (source) => {
      const queue = queueOf[source]
      const [first, ...others] = queues[queue]
      queues = { ...queues, [queue]: others }
      return first?.uses ?? []
    },
  }
}

function isSame(one: QueuedInput, other: QueuedInput): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
