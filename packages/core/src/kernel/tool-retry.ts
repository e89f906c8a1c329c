import type { Draft } from './draft.ts'
import { type Ending, endOfCall } from './ending.ts'
import type { KernelConfig } from './kernel-config.ts'
import { delayBefore } from './model-retry.ts'
import type { RunError } from './run-error.ts'
import { crashedText, interruptedText, notStartedText, timeoutText } from './texts.ts'
import { isDispatched, type ToolCall, triesOf } from './tool-call.ts'

/** The next attempt of a call that failed, or `null` if its tool allows none or it would not help. */
export function retryOfCall(call: ToolCall, ending: Ending, { tools }: KernelConfig): Draft | null {
  const tool = tools.get(call.toolName)
  const error = errorOf(ending)
  if (!tool || !error || !isDispatched(call) || call.cancelledBy !== undefined) return null
  const isInterrupted = ending.kind === 'interrupted'
  const maxAttempts = tool.retry?.maxAttempts ?? (isInterrupted ? 2 : 1)
  if (triesOf(call) >= maxAttempts) return null
  // Code that crashed or was terminated may have had effects: only a tool that may run twice runs again.
  if (!(isInterrupted ? tool.resumable : ending.kind === 'threw' || tool.repeatable)) return null
  const attempt = call.attempt + 1
  return {
    type: 'auto_retry_start',
    scope: 'tool',
    toolCallId: call.toolCallId,
    attempt,
    maxAttempts: maxAttempts + (call.retry?.attempts ?? 0),
    delay:
      tool.retry && !isInterrupted ? delayBefore(triesOf(call) + 1, tool.retry) : { exactly: 0 },
    error,
  }
}

/** The end of a call. If it had several attempts, the end of those comes first. */
export function endsOfCall(call: ToolCall, ending: Ending, maxChars: number): readonly Draft[] {
  const end = endOfCall(call, ending, maxChars)
  return isRetried(call) ? [endOfRetries(call, !end.isError), end] : [end]
}

/** Whether the call was tried more than once, or will be. */
export function isRetried(call: ToolCall): boolean {
  const tries = triesOf(call)
  return tries > 1 || (tries > 0 && call.stage.kind === 'prepared')
}

export function endOfRetries({ toolCallId, attempt }: ToolCall, success: boolean): Draft {
  return { type: 'auto_retry_end', scope: 'tool', toolCallId, success, attempt }
}

function errorOf(ending: Ending): RunError | null {
  switch (ending.kind) {
    case 'threw':
      return ending.errorKind === 'failed' ? failure('internal', ending.message) : null
    case 'crashed':
      return failure('internal', crashedText(ending.message))
    case 'not_started':
      return failure('internal', notStartedText(ending.message))
    case 'timed_out':
      return failure('timeout', timeoutText(ending.timeoutMs))
    case 'interrupted':
      return failure('internal', interruptedText)
    default:
      return null
  }
}

function failure(kind: RunError['kind'], message: string): RunError {
  return { kind, message, retryable: true }
}
