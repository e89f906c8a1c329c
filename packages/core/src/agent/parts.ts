import { decide } from '../kernel/decide.ts'
import type { DurableEvent } from '../kernel/events.ts'
import { isDurable } from '../kernel/events.ts'
import { createCallSlots } from '../runtime/early-executions.ts'
import { createLedger } from '../runtime/ledger.ts'
import type { Notifier } from '../runtime/notifier.ts'
import { createNotifier } from '../runtime/notifier.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { createRuntime } from '../runtime/runtime.ts'
import { createStopwatch } from '../runtime/stopwatch.ts'
import type { Artifacts } from '../storage/artifacts.ts'
import { createArtifacts } from '../storage/artifacts.ts'
import type { Publisher } from '../store/store.ts'
import { createPublisher } from '../store/store.ts'
import { isAgentHost } from './agent-host.ts'
import type { Failure } from './failure.ts'
import { createFailure } from './failure.ts'
import { openLog } from './opening.ts'
import type { AgentChanges, AgentEnvironment, AgentOptions } from './options.ts'
import { createPerform } from './perform.ts'
import type { RunningAgent } from './ports.ts'
import type { Settings } from './settings.ts'
import { settle } from './settings.ts'

/** What an agent is joined from. */
export interface AgentParts {
  readonly settings: () => Settings
  readonly configure: (changes: AgentChanges) => void
  readonly runtime: Runtime
  readonly notifier: Notifier
  readonly publisher: Publisher
  readonly artifacts: Artifacts
  /** The durable events so far. Grows. */
  readonly log: readonly DurableEvent[]
  /** Resolves when the log is open. Rejects when it could not be read. */
  readonly opened: Promise<void>
  readonly isOpen: () => boolean
  readonly failure: Failure
  /** The agents that run inside calls now, by id. */
  readonly subAgents: ReadonlyMap<string, RunningAgent>
  /** Resolves when what was written is stored, or cannot be. */
  readonly stored: () => Promise<void>
  /** Ends everything that could still happen by itself. */
  readonly dispose: () => void
}

/** Makes the parts, joins them, and opens the log. */
export function createParts(options: AgentOptions, environment: AgentEnvironment): AgentParts {
  const { pollSteering: poll, opensEarly = true, clock, newId } = environment
  const { settings, change } = createSettings(options, poll !== undefined)
  const artifacts = createArtifacts(newId, () => settings().maxArtifactBytes)
  const notifier = createNotifier()
  const { slots, early } = createCallSlots(() => settings().maxConcurrency, clock)
  const stopwatch = createStopwatch(clock)
  const log: DurableEvent[] = []
  const subAgents = new Map<string, RunningAgent>()
  const sessionId = options.sessionId ?? newId('session')
  const ledger = createLedger({ sessionId, clock, notifier })
  const publisher = createPublisher(ledger.state, environment.schedule)
  const failure = createFailure(({ error }) => {
    runtime.stop()
    early.dropAll()
    publisher.fail(error)
  })
  const shared = { settings, opensEarly, agentId: undefined, ledger, notifier, failure, subAgents }
  const perform = createPerform({
    ...shared,
    slots,
    early,
    artifacts,
    environment,
    stopwatch,
    poll,
  })
  const runtime = createRuntime({
    ledger,
    environment,
    stopwatch,
    decide: (state) => decide(state, settings().kernel),
    perform,
  })
  notifier.subscribe((event) => {
    if (isDurable(event)) log.push(event)
    publisher.note(event)
    early.note(event)
  })
  const opening = openLog(
    { clock, storage: options.storage, sessionId, fail: failure.fail },
    (stored, journal) => {
      for (const event of stored) log.push(event)
      ledger.open(stored, journal)
      runtime.write({ type: 'session_opened', bootId: newId('boot') })
    },
  )
  return {
    settings,
    configure: (changes) => {
      change(changes)
      runtime.refresh()
    },
    ...{ runtime, notifier, publisher, artifacts, log, failure, subAgents },
    ...opening,
    stored: ledger.drained,
    dispose: () => {
      runtime.stop()
      early.dropAll()
      slots.dispose()
      for (const { host } of settings().tools.values()) host.release?.()
      publisher.dispose()
    },
  }
}

function createSettings(options: AgentOptions, pollsSteering: boolean) {
  let settings = checked(options, pollsSteering)
  return {
    settings: () => settings,
    // What is wrong with the changes is thrown before anything is changed.
    change: (changes: AgentChanges): void => {
      settings = checked({ ...settings.options, ...changes }, pollsSteering)
    },
  }
}

// Also what runs inside calls: nobody should learn of a wrong option from a model.
function checked(options: AgentOptions, pollsSteering: boolean): Settings {
  const settings = settle(options, pollsSteering)
  const hosts = new Set([...settings.tools.values()].map(({ host }) => host))
  for (const host of hosts) if (isAgentHost(host)) host.validate(options)
  return settings
}
