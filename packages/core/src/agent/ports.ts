import type { Environment } from '../internal/environment.ts'
import type { EarlyExecutions } from '../runtime/early-executions.ts'
import type { Ledger } from '../runtime/ledger.ts'
import type { Notifier } from '../runtime/notifier.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Slots } from '../runtime/slots.ts'
import type { Stopwatch } from '../runtime/stopwatch.ts'
import type { Artifacts } from '../storage/artifacts.ts'
import type { Failure } from './failure.ts'
import type { Settings } from './settings.ts'

/** What the effects of an agent need. */
export interface EffectPorts {
  readonly ledger: Ledger
  readonly notifier: Notifier
  readonly failure: Failure
  /** The agents that run inside calls now. */
  readonly subAgents: Map<string, RunningAgent>
  readonly settings: () => Settings
  readonly slots: Slots
  readonly early: EarlyExecutions
  /** Set for an agent that runs inside a call. */
  readonly agentId: string | undefined
  readonly artifacts: Artifacts
  readonly environment: Environment
  readonly stopwatch: Stopwatch
}

/** An agent that runs: where its facts are written, and what it is made of. */
export interface RunningAgent {
  readonly runtime: Runtime
  readonly settings: () => Settings
}
