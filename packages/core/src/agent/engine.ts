import type { Environment } from '../internal/environment.ts'
import { type Decision, decide as kernelDecide } from '../kernel/decide.ts'
import type { State } from '../kernel/state.ts'
import { createLedger, type SessionLedger } from '../runtime/ledger.ts'
import { createNotifier, type Notifier } from '../runtime/notifier.ts'
import { createRuntime, type Runtime } from '../runtime/runtime.ts'
import { createStopwatch } from '../runtime/stopwatch.ts'
import { type ArtifactOptions, type Artifacts, createArtifacts } from '../storage/artifacts.ts'
import { createFailure, type FailureListener, type FailureSource } from './failure.ts'
import { createLateCalls } from './late-calls.ts'
import type { RunningAgent } from './ports.ts'
import type { Settings } from './settings.ts'
import { createStartEffect } from './start-effect.ts'

/** One log and what writes it: an agent adds a store and a storage to it, a step of an own loop adds nothing. */
export interface Engine {
  readonly ledger: SessionLedger
  readonly runtime: Runtime
  readonly notifier: Notifier
  readonly artifacts: Artifacts
  readonly failure: FailureSource
  /** The agents that run inside calls now, by id. */
  readonly subAgents: ReadonlyMap<string, RunningAgent>
  /** Writes that the log is opened, which comes before everything else in it; also after `rest`. */
  readonly open: () => void
  /** Ends every effect. Later writes do nothing. */
  readonly rest: () => void
  /** Ends every effect, worker and timer. */
  readonly dispose: () => void
}

export interface EngineOptions {
  readonly sessionId: string
  readonly settings: () => Settings
  readonly environment: Environment
  /** Default: the kernel's own, with the settings of the moment. */
  readonly decide?: ((state: State) => Decision) | undefined
  /** Called with each artifact that is added, and with `null` for one that is removed. */
  readonly onArtifact?: ArtifactOptions['onChange']
  /** Called once, when the storage has failed and nothing is written any more. */
  readonly onFailure?: FailureListener
}

export function createEngine(options: EngineOptions): Engine {
  const { sessionId, settings, environment, onFailure, onArtifact = () => {} } = options
  const { decide = (state) => kernelDecide(state, settings().kernel) } = options
  const { clock, newId } = environment
  const notifier = createNotifier()
  const ledger = createLedger({ sessionId, clock, notifier })
  const artifacts = createArtifacts({
    newId,
    limit: () => settings().maxArtifactBytes,
    onChange: onArtifact,
  })
  const calls = createLateCalls({ settings, environment, notifier })
  const stopwatch = createStopwatch(clock)
  const subAgents = new Map<string, RunningAgent>()
  const failure = createFailure((...happened) => {
    rest()
    onFailure?.(...happened)
  })
  const shared = { ledger, environment, stopwatch }
  const ports = { ...shared, settings, notifier, failure, subAgents, calls, artifacts }
  const startEffect = createStartEffect({ ...ports, agentId: undefined })
  const runtime = createRuntime({ ...shared, decide, startEffect })
  const rest = () => {
    runtime.stop()
    calls.rest()
  }
  return {
    ...{ ledger, runtime, notifier, artifacts, failure, subAgents, rest },
    open: () => {
      if (failure.signal.aborted) return
      if (runtime.isStopped()) runtime.restart()
      runtime.write({ type: 'session_opened', bootId: newId('boot') })
    },
    dispose: () => {
      rest()
      calls.dispose()
      for (const { host } of settings().tools.values()) host.release?.()
    },
  }
}
