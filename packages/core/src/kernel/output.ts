import type { RunTrigger } from './events.ts'
import { answerAt, lastShownIn } from './head.ts'
import type { OutputRequest } from './output-request.ts'
import type { RunError } from './run-error.ts'
import { lastAnswerOf, type Run, type State } from './state.ts'

/**
 * The answer that has to be checked against the schema of the output before the run may end with it; `null` if there is
 * none.
 */
export function uncheckedAnswer(run: Run): string | null {
  const last = run.output && lastAnswerOf(run)
  if (!last || last.toolCallIds.length > 0) return null
  return last.messageId === run.checked?.messageId ? null : last.messageId
}

/** Whether the last run ended without the output that it was asked for, and the answer that it had is still there. */
export function isOutputMissing(state: State): boolean {
  return state.lastOutput?.isMissing === true && isAsItEnded(state) && answerAt(state.head) !== null
}

/**
 * The output that a run without a prompt has to end with: it is the output of the run that this one continues or
 * repeats.
 */
export function carriedOutput(state: State, trigger: RunTrigger): OutputRequest | undefined {
  const { lastOutput } = state
  if (!lastOutput || !isAsItEnded(state)) return undefined
  return lastOutput.isMissing || trigger === 'regenerate' ? lastOutput.request : undefined
}

// If the head was moved since the last run ended, the conversation is about something else.
function isAsItEnded({ head, lastRun }: State): boolean {
  return lastRun?.messageId === lastShownIn(head)
}

/** The error of a run that ends because its answer does not fit. */
export function outputError({ checked }: Run): RunError {
  const { problem = '', failed } = checked ?? {}
  return failed
    ? { kind: 'internal', message: problem, retryable: false }
    : {
        kind: 'invalid_output',
        message: `The answer does not fit the schema of its output: ${problem}`,
        retryable: false,
      }
}
