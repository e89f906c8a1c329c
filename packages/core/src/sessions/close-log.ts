import { resolveCallSettings } from '../agent/settings.ts'
import type { Environment } from '../internal/environment.ts'
import { decide } from '../kernel/decide.ts'
import { type DurableEvent, isDurable } from '../kernel/events.ts'
import type { State } from '../kernel/state.ts'
import { createLedger } from '../runtime/ledger.ts'
import { createNotifier } from '../runtime/notifier.ts'
import { createRuntime } from '../runtime/runtime.ts'
import { createStopwatch } from '../runtime/stopwatch.ts'

/** A log that goes on, and its state. */
interface ClosedLog {
  readonly state: State
  readonly added: readonly DurableEvent[]
}

/**
 * Ends what a log leaves open as an opening after the end of its page does, but starts nothing, whoever opens it next: a
 * run that is open ends as interrupted. A log without one stays as it is. `keepsWaiting`: what waits for people goes on to
 * wait; else their calls end, too, and queues are emptied.
 */
export function closeLog(
  before: State,
  environment: Environment,
  { keepsWaiting }: { readonly keepsWaiting: boolean },
): ClosedLog {
  if (!before.run && !before.openMessage) return { state: before, added: [] }
  const config = { ...resolveCallSettings({}).kernel, mayPauseForPeople: keepsWaiting }
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
    decide: (state) => {
      const { facts, ...rest } = decide(state, config)
      // A resumed run, and every effect, is for the agent that opens the session.
      const due = facts.some(({ type }) => type === 'agent_start') ? [] : facts
      return { ...rest, facts: due, effects: [] }
    },
    startEffect: () => ({ cancel: () => {} }),
  })
  const emptied = { type: 'queue_update', steering: [], followUp: [] } as const
  runtime.write(
    { type: 'session_opened', bootId: newId('boot') },
    ...(!keepsWaiting && hasQueue(before) ? [emptied] : []),
  )
  runtime.stop()
  return { state: ledger.state(), added }
}

function hasQueue({ queues: { steering, followUp } }: State): boolean {
  return steering.length + followUp.length > 0
}
