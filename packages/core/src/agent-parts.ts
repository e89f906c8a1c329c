import { createPerform } from './agent-effects.ts'
import type { AgentEnvironment, AgentOptions, Settings } from './agent-options.ts'
import { settle } from './agent-options.ts'
import type { DurableEvent } from './kernel/events.ts'
import { isDurable } from './kernel/events.ts'
import type { Notifier } from './runtime/notifier.ts'
import { createNotifier } from './runtime/notifier.ts'
import type { Runtime } from './runtime/runtime.ts'
import { createRuntime } from './runtime/runtime.ts'
import { createSlots } from './runtime/slots.ts'
import { createStopwatch } from './runtime/stopwatch.ts'
import type { Artifacts } from './storage/artifacts.ts'
import { createArtifacts } from './storage/artifacts.ts'
import type { Publisher } from './store/store.ts'
import { createPublisher } from './store/store.ts'

/** What an agent is joined from. */
export interface AgentParts {
  readonly settings: () => Settings
  readonly configure: (changes: Partial<AgentOptions>) => void
  readonly runtime: Runtime
  readonly notifier: Notifier
  readonly publisher: Publisher
  readonly artifacts: Artifacts
  /** The durable events so far. Grows. */
  readonly log: readonly DurableEvent[]
  /** Ends everything that could still happen by itself. */
  readonly dispose: () => void
}

/** Makes the parts, joins them, and opens the log. */
export function createParts(options: AgentOptions, environment: AgentEnvironment): AgentParts {
  let current = options
  let settings = settle(options)
  const artifacts = createArtifacts(environment.newId)
  const notifier = createNotifier()
  const slots = createSlots(() => settings.maxConcurrency, environment.clock)
  const stopwatch = createStopwatch(environment.clock)
  const log: DurableEvent[] = []
  const runtime = createRuntime({
    sessionId: environment.newId('session'),
    environment,
    stopwatch,
    config: () => settings.kernel,
    perform: createPerform({ settings: () => settings, slots, artifacts, environment, stopwatch }),
    notifier,
  })
  const publisher = createPublisher(runtime.state, environment.schedule)
  notifier.subscribe((event) => {
    if (isDurable(event)) log.push(event)
    publisher.note(event)
  })
  runtime.write({ type: 'session_opened', bootId: environment.newId('boot') })

  return {
    settings: () => settings,
    configure: (changes) => {
      const next = { ...current, ...changes }
      settings = settle(next)
      current = next
    },
    runtime,
    notifier,
    publisher,
    artifacts,
    log,
    dispose: () => {
      runtime.dispose()
      slots.dispose()
      publisher.dispose()
    },
  }
}
