import type { QueuedInput } from './events.ts'
import type { InputSource } from './message.ts'
import type { Situation } from './situation.ts'
import type { Queues, State } from './state.ts'

/** The queues in which messages of a person wait. */
export type QueueSource = Exclude<InputSource, 'prompt' | 'repair'>

/**
 * Whether the user has sent something that the model has not read yet. `dueBatchFacts` asks it between two units, to skip
 * the calls that have not started, and `nextTurn` after a turn, to start another one.
 */
export function isSteered({ queues }: State): boolean {
  return queues.steering.length > 0
}

/** What a new turn takes from one queue, oldest first, and what stays in both. */
export function takeQueued(
  { state: { queues }, config }: Situation,
  source: QueueSource,
): { readonly taken: readonly QueuedInput[]; readonly left: Queues } {
  const [queue, mode] =
    source === 'steering'
      ? [queues.steering, config.steeringMode]
      : [queues.followUp, config.followUpMode]
  const taken = mode === 'all' ? queue : queue.slice(0, 1)
  return { taken, left: withoutFirst(queues, source, taken.length) }
}

/** The queues after their first messages were written into the conversation. */
export function withoutFirst(queues: Queues, source: QueueSource, count = 1): Queues {
  const { steering, followUp } = queues
  return source === 'steering'
    ? { steering: steering.slice(count), followUp }
    : { steering, followUp: followUp.slice(count) }
}
