import type { RunResult } from './agent-result.ts'
import { resultOfRun } from './agent-result.ts'
import type { DurableFact, EventOf } from './kernel/events.ts'
import type { Notifier } from './runtime/notifier.ts'
import type { Runtime } from './runtime/runtime.ts'

export type AgentStart = Extract<DurableFact, { readonly type: 'agent_start' }>

export interface RunPorts {
  readonly runtime: Runtime
  readonly notifier: Notifier
  /** Fires when the agent is disposed. */
  readonly signal: AbortSignal
}

/** Starts a run and waits for its end. */
export function startRun(
  { runtime, notifier, signal }: RunPorts,
  start: AgentStart,
): Promise<RunResult> {
  const before = runtime.state().head
  return new Promise((resolve) => {
    const finish = (end?: EventOf<'agent_end'>): void => {
      unsubscribe()
      signal.removeEventListener('abort', giveUp)
      resolve(resultOfRun(before, runtime.state().head, end))
    }
    const giveUp = (): void => finish()
    const unsubscribe = notifier.subscribe((event) => {
      if (event.type === 'agent_end') finish(event)
    })
    signal.addEventListener('abort', giveUp)
    runtime.write(start)
  })
}
