import type { RunResult } from './agent-result.ts'
import { resultOfRun } from './agent-result.ts'
import type { AgentEvent, DurableFact, EventOf } from './kernel/events.ts'
import type { Message } from './kernel/message.ts'
import type { Notifier } from './runtime/notifier.ts'
import type { Runtime } from './runtime/runtime.ts'

type FactOf<Type extends DurableFact['type']> = Extract<DurableFact, { readonly type: Type }>

/** The fact that a run begins. */
export type AgentStart = FactOf<'agent_start'>

/** What a run is started in. */
export interface RunPorts {
  readonly runtime: Runtime
  readonly notifier: Notifier
  /** Fires when the agent is disposed. */
  readonly disposal: AbortSignal
  /** Stops the run. */
  readonly signal: AbortSignal | undefined
}

/** Starts a run and waits for its end. */
export function startRun(ports: RunPorts, start: AgentStart): Promise<RunResult> {
  const { runtime, notifier, disposal, signal } = ports
  // Listeners hear of things later than they are: by then another run may be active.
  const startSeq = runtime.state().nextSeq
  const messages: Message[] = []
  let runId: string | null = null
  return new Promise((resolve) => {
    const finish = (end?: EventOf<'agent_end'>): void => {
      unsubscribe()
      disposal.removeEventListener('abort', giveUp)
      signal?.removeEventListener('abort', stop)
      resolve(resultOfRun(messages, end))
    }
    const giveUp = (): void => finish()
    const stop = (): void => {
      if (runId === null || runtime.state().run?.runId === runId) abortRun(runtime)
    }
    const hear = (event: AgentEvent): void => {
      if (event.seq < startSeq) return
      if (event.type === 'agent_start') runId = event.runId
      if (event.type === 'message_end' && !event.excluded) messages.push(event.message)
      if (event.type === 'agent_end') finish(event)
    }
    const unsubscribe = notifier.subscribe(hear)
    disposal.addEventListener('abort', giveUp)
    signal?.addEventListener('abort', stop)
    runtime.write(start, ...(signal?.aborted ? [abortRequest()] : []))
  })
}

/** Stops the active run. Does nothing when there is none, and nothing twice. */
export function abortRun(runtime: Runtime, reason?: string): void {
  const { run } = runtime.state()
  if (run && !run.abort) runtime.write(abortRequest(reason))
}

function abortRequest(reason?: string): FactOf<'abort_requested'> {
  return { type: 'abort_requested', by: 'user', ...(reason !== undefined && { reason }) }
}
