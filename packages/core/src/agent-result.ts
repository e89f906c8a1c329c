import type { EventOf, RunEndReason } from './kernel/events.ts'
import type { Message, Usage } from './kernel/message.ts'
import { noUsage, textOf } from './kernel/message.ts'
import type { RunError } from './kernel/run-error.ts'
import type { MessageNode } from './kernel/state.ts'
import { pathTo } from './kernel/transcript.ts'

/** How a run ended and what it added to the conversation. */
export interface RunResult {
  readonly reason: RunEndReason
  /** The text of the last answer; empty if there was none. */
  readonly text: string
  /** The messages of the run: the prompt, the answers, the results of tools. */
  readonly messages: readonly Message[]
  readonly usage: Usage
  /** Why it failed, for `reason: 'error'`. */
  readonly error?: RunError
}

/** The messages between two heads, and how the run between them ended; without `end` it was given up. */
export function resultOfRun(
  before: MessageNode | null,
  after: MessageNode | null,
  end?: EventOf<'agent_end'>,
): RunResult {
  const messages = pathTo(after)
    .slice(before ? before.depth + 1 : 0)
    .filter((node) => !node.excluded)
    .map((node) => node.message)
  const answer = messages.findLast((message) => message.role === 'assistant')
  return {
    reason: end?.reason ?? 'interrupted',
    text: answer ? textOf(answer.content) : '',
    messages,
    usage: end?.usage ?? noUsage,
    ...(end?.error && { error: end.error }),
  }
}
