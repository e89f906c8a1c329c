import { defined } from '../internal/defined.ts'
import type { Json } from '../internal/json.ts'
import type { ToolEndDraft } from './draft.ts'
import * as texts from './texts.ts'
import { mayHaveRun, type ToolCall, tailOf } from './tool-call.ts'
import type { ToolErrorKind, ToolOutcome, ToolResult } from './tool-outcome.ts'
import { fits } from './truncate-for-model.ts'

/** How a call ended, before it has the words that the model reads. */
export type Ending =
  | { readonly kind: 'returned'; readonly result: ToolResult }
  | {
      readonly kind: 'threw'
      readonly errorKind: ToolErrorKind
      readonly message: string
      readonly details?: Json
    }
  | { readonly kind: 'crashed'; readonly message: string }
  | { readonly kind: 'not_started'; readonly message: string }
  | { readonly kind: 'cancelled'; readonly how?: 'cooperative' | 'terminated' }
  | {
      readonly kind: 'timed_out'
      readonly timeoutMs: number
      readonly how: 'cooperative' | 'terminated'
    }
  | { readonly kind: 'not_found'; readonly available: readonly string[] }
  | { readonly kind: 'invalid_args'; readonly problem: string }
  | { readonly kind: 'cut_off' }
  | { readonly kind: 'limit'; readonly limit: string }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'denied'; readonly reason?: string; readonly terminate?: boolean }
  /** `afterToolCall` failed, so the model may not read the result. */
  | { readonly kind: 'withheld' }
  /** The page answered in place of the tool. */
  | { readonly kind: 'given'; readonly result: ToolResult; readonly isError: boolean }

/** What the end of a call reports. */
interface Report {
  readonly outcome: ToolOutcome
  readonly result: ToolResult
  readonly errorKind?: ToolErrorKind
  readonly how?: 'cooperative' | 'terminated'
}

/** The end of a call as a fact. Its timing is missing, because the kernel has no clock. */
export function endOfCall(call: ToolCall, ending: Ending, maxChars: number): ToolEndDraft {
  const { toolCallId, toolName, attempt } = call
  // A call that the page has answered was done there, also if the answer does not count.
  const ran = mayHaveRun(call) || (call.staged !== undefined && ending.kind !== 'given')
  const report = reportOf(call, ending, ran)
  const isError = report.outcome !== 'succeeded'
  return {
    ...{ type: 'tool_execution_end', toolCallId, toolName, attempt, mayHaveRun: ran },
    ...report,
    isError,
    ...(!fits(report.result.content, maxChars) && { truncatedForModel: true }),
    ...(ending.kind !== 'withheld' &&
      defined({ partialResult: isError ? call.partial : undefined, logs: tailOf(call.logs) })),
  }
}

function reportOf(call: ToolCall, ending: Ending, ran: boolean): Report {
  switch (ending.kind) {
    case 'returned':
      return { outcome: 'succeeded', result: ending.result }
    case 'given': {
      const { result, isError } = ending
      return isError
        ? { outcome: 'failed', errorKind: 'failed', result }
        : { outcome: 'succeeded', result }
    }
    case 'threw': {
      const { errorKind, message, details } = ending
      const outcome = errorKind === 'cancelled' ? 'cancelled' : 'failed'
      return failure(errorKind, message, { outcome, details })
    }
    case 'crashed':
      return failure('crashed', texts.crashedText(ending.message))
    case 'not_started':
      // After a dispatch the text must not say that the call did not run.
      return failure('crashed', (ran ? texts.crashedText : texts.notStartedText)(ending.message))
    case 'not_found':
      return failure('not_found', texts.notFoundText(call.toolName, ending.available, ran))
    case 'invalid_args':
      return failure('invalid_args', texts.invalidArgsText(ending.problem, ran))
    case 'cut_off':
      return failure('truncated_call', texts.cutOffText)
    case 'limit':
      return failure('limit', texts.limitText(ending.limit))
    case 'cancelled': {
      const text = ran ? texts.cancelledRunningText : texts.cancelledBeforeStartText
      return failure('cancelled', text, { outcome: 'cancelled', how: ending.how })
    }
    case 'timed_out': {
      const { timeoutMs, how } = ending
      return failure('timeout', texts.timeoutText(timeoutMs), { outcome: 'timed_out', how })
    }
    case 'interrupted': {
      const text = ran ? texts.interruptedText : texts.interruptedBeforeStartText
      return failure('interrupted', text, { outcome: 'interrupted' })
    }
    case 'skipped':
      return failure('skipped', texts.skippedText, { outcome: 'skipped' })
    case 'denied': {
      const terminate = ending.terminate === true || undefined
      return failure('denied', texts.deniedText(ending.reason, ran), {
        outcome: 'denied',
        terminate,
      })
    }
    case 'withheld':
      return failure('failed', texts.withheldText)
  }
}

interface More {
  readonly outcome?: ToolOutcome
  readonly how?: Report['how'] | undefined
  readonly details?: Json | undefined
  readonly terminate?: true | undefined
}

function failure(errorKind: ToolErrorKind, text: string, more: More = {}): Report {
  const { outcome = 'failed', how, details, terminate } = more
  const content = [{ type: 'text', text } as const]
  const result = { content, ...defined({ details, terminate }) }
  return { outcome, errorKind, result, ...defined({ how }) }
}
