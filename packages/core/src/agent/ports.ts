import type { Environment } from '../internal/environment.ts'
import type { Effect } from '../kernel/effect.ts'
import type { Ledger } from '../runtime/ledger.ts'
import type { Notifier } from '../runtime/notifier.ts'
import type { EffectHandle, EffectScope } from '../runtime/running-effects.ts'
import type { Runtime } from '../runtime/runtime.ts'
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
  readonly calls: CallEffects
  /** The id of an agent that runs inside a call; otherwise `undefined`. */
  readonly agentId: string | undefined
  readonly artifacts: Artifacts
  readonly environment: Environment
  readonly stopwatch: Stopwatch
}

/** Starts the effects of the calls of a session, and of the agents inside them. */
export interface CallEffects {
  readonly start: (effect: CallEffect, scope: EffectScope, ports: EffectPorts) => EffectHandle
  /** The model has named the tool of a call, and still writes its arguments. */
  readonly announce: (named: NamedTool, scope: EffectScope, ports: EffectPorts) => void
  /** Ends what waits for calls that will not run. */
  readonly rest: () => void
  /** Ends every timer. */
  readonly dispose: () => void
}

/** The id of a call, and the name of its tool. */
export type NamedTool = readonly [toolCallId: string, toolName: string]

/** An effect of one call. */
export type CallEffect = Extract<Effect, { readonly toolCallId: string }>

/** An agent that runs: where its facts are written, and what it is made of. */
export interface RunningAgent {
  readonly runtime: Runtime
  readonly settings: () => Settings
}

/** The agent of a session, and those that run inside its calls. */
export interface RunningSession extends RunningAgent {
  readonly subAgents: ReadonlyMap<string, RunningAgent>
}
