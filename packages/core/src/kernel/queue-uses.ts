import type { EventOf, QueuedInput } from './events.ts'
import type { QueueSource } from './steering.ts'

type QueueEvent = EventOf<'queue_update'>
type QueueName = 'steering' | 'followUp'

/** A place of an input in the log while it waited in a queue. */
export interface QueueUse {
  readonly event: QueueEvent
  readonly queue: QueueName
  readonly index: number
}

/** Finds the places in which what is delivered from a queue has waited. */
export interface QueueUses {
  /** Notes that the queues have changed. */
  readonly note: (event: QueueEvent) => void
  /** Takes the first input from its queue, and returns its places. */
  readonly take: (source: QueueSource) => readonly QueueUse[]
}

interface Waiting {
  readonly input: QueuedInput
  readonly uses: QueueUse[]
}

type Queues = { readonly [Name in QueueName]: readonly Waiting[] }

const queueOf = { steering: 'steering', follow_up: 'followUp' } as const

/**
 * Each event states whole queues. An input that equals the next one that waited is the same; those before it were taken
 * out, and one of them may be the last of the other queue now.
 */
export function createQueueUses(): QueueUses {
  let queues: Queues = { steering: [], followUp: [] }

  return {
    note: (event) => {
      const gone: Waiting[] = []
      const stays = {
        steering: kept(queues.steering, event.steering, gone),
        followUp: kept(queues.followUp, event.followUp, gone),
      }
      const noted = (queue: QueueName) =>
        event[queue].map((input, index): Waiting => {
          const waiting = stays[queue][index] ?? gone.find(isOf(input)) ?? { input, uses: [] }
          waiting.uses.push({ event, queue, index })
          return waiting
        })
      queues = { steering: noted('steering'), followUp: noted('followUp') }
    },
    take: (source) => {
      const queue = queueOf[source]
      const [first, ...others] = queues[queue]
      queues = { ...queues, [queue]: others }
      return first?.uses ?? []
    },
  }
}

/** The inputs that are still in a queue, in order; the others are `gone`. */
function kept(
  before: readonly Waiting[],
  inputs: readonly QueuedInput[],
  gone: Waiting[],
): readonly Waiting[] {
  const stays: Waiting[] = []
  for (const waiting of before) {
    const input = inputs[stays.length]
    if (input && isOf(input)(waiting)) stays.push(waiting)
    else gone.push(waiting)
  }
  return stays
}

function isOf(input: QueuedInput): (waiting: Waiting) => boolean {
  const text = JSON.stringify(input)
  return (waiting) => JSON.stringify(waiting.input) === text
}
