import { hasUnfinished, lastQuestion, unanswered } from '../kernel/possible.ts'
import type { State } from '../kernel/state.ts'

/** Which commands would be taken now, so that a view knows what to enable. */
export interface Can {
  /** Say something: `prompt`, or while a run is active `steer` and `followUp`. */
  readonly send: boolean
  /** Stop the run: `abort`. */
  readonly stop: boolean
  /** Go on with what a stopped, failed or limited run left, or with what is queued: `continue`. */
  readonly continue: boolean
  /** Have the last question answered again: `regenerate`. */
  readonly regenerate: boolean
  /** Go back in the conversation: `moveHead`, and `prompt` with `after`. */
  readonly edit: boolean
}

/** The commands of an agent that takes none any more. */
export const canNothing: Can = {
  send: false,
  stop: false,
  continue: false,
  regenerate: false,
  edit: false,
}

/** Computes what can be done in a state. The same result is the same object. */
export function createCan(): (state: State) => Can {
  let last = canNothing
  return (state) => {
    const isAtRest = !state.run
    const next: Can = {
      send: true,
      stop: !isAtRest,
      continue: isAtRest && unanswered(state).length === 0 && hasUnfinished(state),
      regenerate: isAtRest && lastQuestion(state) !== null,
      edit: isAtRest,
    }
    if (JSON.stringify(next) !== JSON.stringify(last)) last = next
    return last
  }
}
