import { defined } from '../internal/defined.ts'
import type { EventOf, RunEndReason } from '../kernel/events.ts'
import type { Message, Usage } from '../kernel/message.ts'
import { noUsage, textOf } from '../kernel/message.ts'
import type { RunError } from '../kernel/run-error.ts'

/** How a run ended and what it added to the conversation. */
export interface RunResult {
  readonly reason: RunEndReason
  /** The text of the last answer; empty if there was none. */
  readonly text: string
  /** The messages of the run: the prompt, the answers, the results of tools. */
  readonly messages: readonly Message[]
  readonly usage: Usage
  /** Why it failed, for `reason: 'error'`; why the model refused; that a deadline was over. */
  readonly error?: RunError
}

/** What a run added, and how it ended; without `end` it was given up. */
export function resultOfRun(
  messages: readonly Message[],
  end: EventOf<'agent_end'> | undefined,
): RunResult {
  const answer = messages.findLast((message) => message.role === 'assistant')
  return {
    reason: end?.reason ?? 'interrupted',
    text: answer ? textOf(answer.content) : '',
    messages,
    usage: end?.usage ?? noUsage,
    ...defined({ error: end?.error }),
  }
}

/** What a run added before the storage failed: its end is nowhere. */
export function failedRun(messages: readonly Message[], error: RunError | null): RunResult {
  const { text, usage } = resultOfRun(messages, undefined)
  return { reason: 'error', text, messages, usage, ...(error && { error }) }
}
