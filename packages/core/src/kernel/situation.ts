import type { KernelConfig } from './kernel-config.ts'
import type { Batch, Run, State } from './state.ts'

/** What a decision in a run depends on. */
export interface Situation {
  readonly state: State
  readonly run: Run
  readonly config: KernelConfig
}

/** What a decision about open calls depends on. Calls may be open while no run is active. */
export interface BatchSituation {
  readonly state: State
  readonly run: Run | null
  readonly batch: Batch
  readonly config: KernelConfig
}
