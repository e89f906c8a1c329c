import { resolveCallSettings } from '../agent/settings.ts'
import type { Environment } from '../internal/environment.ts'
import { decide } from '../kernel/decide.ts'
import { type DurableEvent, isDurable } from '../kernel/events.ts'
import type { State } from '../kernel/state.ts'
import { createLedger } from '../runtime/ledger.ts'
import { createNotifier } from '../runtime/notifier.ts'
import { createRuntime } from '../runtime/runtime.ts'
import { createStopwatch } from '../runtime/stopwatch.ts'

/** The events to add to a log, and the state after them. */
interface ClosedLog {
  readonly state: State
  readonly added: readonly DurableEvent[]
}

/**
 * Ends what a log leaves open, as an opening does after the end of its page, so that an agent that opens it starts
 * nothing by itself. A run that is open or due ends as interrupted, and so do the calls that wait for people. A log
 * without such a run stays as it is.
 */
export function closeLog(
  before: State,
  environment: Environment,
  { keepsQueues }: { readonly keepsQueues: boolean },
): ClosedLog {
  const config = { ...resolveCallSettings({}).kernel, mayPauseForPeople: false }
  const isOpen = before.run || decide(before, config).facts.length > 0
  if (!isOpen) return { state: before, added: [] }
  const { clock, newId } = environment
  const notifier = createNotifier()
  const added: DurableEvent[] = []
  notifier.subscribe((event) => {
    if (isDurable(event)) added.push(event)
  })
  const ledger = createLedger({ sessionId: before.sessionId, clock, notifier })
  ledger.load(before, [])
  const runtime = createRuntime({
    ...{ ledger, environment, stopwatch: createStopwatch(clock) },
    decide: (state) => ({ ...decide(state, config), effects: [] }),
    startEffect: () => ({ cancel: () => {} }),
  })
  const open = () => runtime.write({ type: 'session_opened', bootId: newId('boot') })
  open()
  // A run may have been due because the last answer to its calls had come. It has started now, and is lost by another
  // opening.
  if (runtime.state().run) open()
  if (!keepsQueues && hasQueue(before)) {
    runtime.write({ type: 'queue_update', steering: [], followUp: [] })
  }
  const state = runtime.state()
  runtime.stop()
  return { state, added }
}

function hasQueue({ queues: { steering, followUp } }: State): boolean {
  return steering.length + followUp.length > 0
}
