import { defined } from '../internal/defined.ts'
import type { Draft } from '../kernel/draft.ts'
import type { AgentEvent, EventOf } from '../kernel/events.ts'
import { type Message, noUsage, textOf, type Usage } from '../kernel/message.ts'
import type { RunEndReason } from '../kernel/run-end-reason.ts'
import type { RunError } from '../kernel/run-error.ts'
import type { Notifier } from '../runtime/notifier.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Failure } from './failure.ts'

/** How a run ended and what it added to the conversation. */
export interface RunResult<Output = unknown> {
  readonly reason: RunEndReason
  /** The text of the last answer; empty if there was none. */
  readonly text: string
  /** The messages of the run: the prompt, the answers, the results of tools. */
  readonly messages: readonly Message[]
  readonly usage: Usage
  /** Why the run failed, for `reason: 'error'`; why the model refused; that a deadline was over. */
  readonly error?: RunError
  /** What the answer gave, if the run was asked for an output and ended with one that fits. */
  readonly output?: Output
}

/** The parts that starting a run needs. */
export interface RunPorts {
  readonly parts: {
    readonly runtime: Runtime
    readonly notifier: Notifier
    readonly failure: Failure
  }
  /** The id of an agent that runs inside a call. */
  readonly agentId?: string
  /** Fires when the agent is disposed. */
  readonly disposal: AbortSignal
  /** Stops the run. */
  readonly signal: AbortSignal | undefined
}

/**
 * Starts a run and waits until its end is stored. `start`: the facts that are written together, the start of the run
 * last.
 */
export function startRun(ports: RunPorts, start: readonly Draft[]): Promise<RunResult<never>> {
  const { parts, agentId, disposal, signal } = ports
  const { runtime, notifier, failure } = parts
  if (failure.signal.aborted) return Promise.resolve(failedRun([], failure.error()))
  if (disposal.aborted) return Promise.resolve(resultOfRun([]))
  // Listeners get an event after it is written: by then another run may be active.
  const startSeq = runtime.state().nextSeq
  const messages: Message[] = []
  let runId: string | null = null
  let end: EventOf<'agent_end'> | undefined
  return new Promise((resolve) => {
    const settle = (result: RunResult<never>): void => {
      unsubscribe()
      disposal.removeEventListener('abort', finish)
      failure.signal.removeEventListener('abort', fail)
      signal?.removeEventListener('abort', stop)
      resolve(result)
    }
    const finish = (): void => settle(resultOfRun(messages, end))
    const lose = (): void => settle(resultOfRun(messages))
    const fail = (): void => settle(failedRun(messages, failure.error()))
    const stop = (): void => {
      if (runId === null || runtime.state().run?.runId === runId) abortRun(runtime)
    }
    const note = (event: AgentEvent): void => {
      if (event.seq < startSeq || end || event.agentId !== agentId) return
      if (event.type === 'agent_start') runId = event.runId
      if (event.type === 'message_end' && !event.excluded) messages.push(event.message)
      if (event.type !== 'agent_end') return
      end = event
      // The call around a sub-agent waits for its end, not for the storage: a stop may not take that long.
      if (agentId === undefined) runtime.stored().then(finish, lose)
      else finish()
    }
    const unsubscribe = notifier.subscribe(note)
    disposal.addEventListener('abort', finish)
    failure.signal.addEventListener('abort', fail)
    signal?.addEventListener('abort', stop)
    runtime.write(...start, ...(signal?.aborted ? [abortRequest()] : []))
    // A run whose start cannot be stored has no end to wait for.
    runtime.stored().catch(lose)
  })
}

/** Stops the active run. Does nothing when there is none, or when it is being stopped already. */
export function abortRun(runtime: Runtime, reason?: string): void {
  const { run } = runtime.state()
  if (run && !run.abort) runtime.write(abortRequest(reason))
}

function abortRequest(reason?: string): Draft {
  return { type: 'abort_requested', by: 'user', ...defined({ reason }) }
}

/** What a run added, and how it ended; without `end` it was interrupted. */
export function resultOfRun(
  messages: readonly Message[],
  end?: EventOf<'agent_end'>,
): RunResult<never> {
  const answer = messages.findLast((message) => message.role === 'assistant')
  return {
    reason: end?.reason ?? 'interrupted',
    text: answer ? textOf(answer.content) : '',
    messages,
    usage: end?.usage ?? noUsage,
    ...defined({ error: end?.error }),
  }
}

/** What a run added before the storage failed: its end was never written. */
export function failedRun(messages: readonly Message[], error: RunError | null): RunResult<never> {
  const { text, usage } = resultOfRun(messages)
  return { reason: 'error', text, messages, usage, ...(error && { error }) }
}
