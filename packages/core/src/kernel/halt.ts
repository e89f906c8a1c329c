import { isLost, type Run, type State } from './state.ts'

export type Halt = 'aborted' | 'interrupted'

/** Why nothing new may start: the run was aborted, or the page that ran it is gone. `null` if nothing is in the way. */
export function haltOf(state: State, run: Run): Halt | null {
  if (run.abort) return 'aborted'
  return isLost(state, run) ? 'interrupted' : null
}
