import type { Run, State } from './state.ts'
import { isLost } from './state.ts'

export type Halt = 'aborted' | 'interrupted'

/** Why nothing new may start: somebody stopped the run, or the page that ran it is gone. */
export function haltOf(state: State, run: Run): Halt | null {
  if (run.abort) return 'aborted'
  return isLost(state, run) ? 'interrupted' : null
}
