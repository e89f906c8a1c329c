import { createPerform } from './agent-effects.ts'
import type { AgentEnvironment, AgentOptions } from './agent-options.ts'
import type { Settings } from './agent-settings.ts'
import { settle } from './agent-settings.ts'
import type { DurableEvent } from './kernel/events.ts'
import { isDurable } from './kernel/events.ts'
import type { RunError } from './kernel/run-error.ts'
import type { Journal } from './runtime/journal.ts'
import { createJournal, storageFailure } from './runtime/journal.ts'
import { checkLog } from './runtime/check-log.ts'
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
  /** Resolves when the log is open. Rejects when it could not be read. */
  readonly opened: Promise<void>
  readonly isOpen: () => boolean
  readonly failure: Failure
  /** Ends everything that could still happen by itself. */
  readonly dispose: () => void
}

/** That the storage has failed: nothing is written any more. */
export interface Failure {
  readonly signal: AbortSignal
  readonly error: () => RunError | null
}

/** Makes the parts, joins them, and opens the log. */
export function createParts(options: AgentOptions, environment: AgentEnvironment): AgentParts {
  const { pollSteering: poll } = environment
  const settleOptions = (from: AgentOptions) => settle(from, poll !== undefined)
  let current = options
  let settings = settleOptions(options)
  const artifacts = createArtifacts(environment.newId)
  const notifier = createNotifier()
  const slots = createSlots(() => settings.maxConcurrency, environment.clock)
  const stopwatch = createStopwatch(environment.clock)
  const log: DurableEvent[] = []
  const sessionId = options.sessionId ?? environment.newId('session')
  const ports = { slots, artifacts, environment, stopwatch, poll }
  const runtime = createRuntime({
    sessionId,
    environment,
    stopwatch,
    config: () => settings.kernel,
    perform: createPerform({ settings: () => settings, ...ports }),
    notifier,
  })
  const publisher = createPublisher(runtime.state, environment.schedule)
  const failing = createFailure((error) => {
    runtime.stop()
    publisher.fail(error)
  })
  notifier.subscribe((event) => {
    if (isDurable(event)) log.push(event)
    publisher.note(event)
  })
  const opening = openLog({ options, sessionId, fail: failing.fail }, (stored, journal) => {
    log.push(...stored)
    runtime.open(stored, journal)
    runtime.write({ type: 'session_opened', bootId: environment.newId('boot') })
  })
  return {
    settings: () => settings,
    configure: (changes) => {
      const next = { ...current, ...changes }
      settings = settleOptions(next)
      current = next
      runtime.refresh()
    },
    runtime,
    notifier,
    publisher,
    artifacts,
    log,
    ...opening,
    failure: failing,
    dispose: () => {
      runtime.stop()
      slots.dispose()
      publisher.dispose()
    },
  }
}

function createFailure(onFailure: (error: RunError) => void) {
  const controller = new AbortController()
  let failure: RunError | null = null
  return {
    signal: controller.signal,
    error: () => failure,
    fail: (error: RunError): void => {
      if (failure) return
      failure = error
      onFailure(error)
      controller.abort()
    },
  }
}

interface Opening {
  readonly options: AgentOptions
  readonly sessionId: string
  readonly fail: (error: RunError) => void
}

type Open = (stored: readonly DurableEvent[], journal: Journal | null) => void

// Without a storage there is nothing to wait for.
function openLog(
  { options, sessionId, fail }: Opening,
  open: Open,
): Pick<AgentParts, 'opened' | 'isOpen'> {
  const { storage } = options
  let isOpen = false
  const opened = storage
    ? storage.load(sessionId).then((stored) => {
        checkLog(stored)
        const head = stored.length
        open(stored, createJournal({ storage, sessionId, head, onFailure: fail }))
        isOpen = true
      })
    : Promise.resolve()
  if (!storage) {
    open([], null)
    isOpen = true
  }
  // Reported as what the agent shows; whoever waits for `ready` is told, too.
  opened.catch((error: unknown) => fail(storageFailure(error)))
  return { opened, isOpen: () => isOpen }
}
