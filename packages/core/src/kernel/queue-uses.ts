import type { EventOf, QueuedInput } from './events.ts'
import type { QueueSource } from './steering.ts'

type QueueEvent = EventOf<'queue_update'>
type QueueName = 'steering' | 'followUp'

/** One place in the log at which an input stands while it waits in a queue. */
export interface QueueUse {
  readonly event: QueueEvent
  readonly queue: QueueName
  readonly index: number
}

/** Finds all the places in the log at which an input waited in a queue before it was delivered. */
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

/**
 * Each event lists both queues in full, so inputs are recognised by their content. An input that equals the next one
 * that waited is that one. Those before it have left the queue, and one of them may stand in the other queue now.
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
      // As in `fold`, what a later version may call otherwise was a follow-up.
      const queue = source === 'steering' ? source : 'followUp'
      const [first, ...others] = queues[queue]
      queues = { ...queues, [queue]: others }
      return first?.uses ?? []
    },
  }
}

/** The inputs that are still in their queue, in order. Those that have left it are added to `gone`. */
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
