import { assertNever } from '../internal/assert-never.ts'
import type { Json } from '../internal/json.ts'
import type { ToolEndDraft } from './draft.ts'
import * as texts from './texts.ts'
import type { ToolCall } from './tool-call.ts'
import { mayHaveRun } from './tool-call.ts'
import type { ToolErrorKind, ToolOutcome, ToolResult } from './tool-outcome.ts'
import { fits } from './truncate.ts'

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

interface Wording {
  readonly outcome: ToolOutcome
  readonly errorKind?: ToolErrorKind
  readonly text: string
  readonly details?: Json
  readonly how?: 'cooperative' | 'terminated'
  readonly terminate?: boolean
}

/** The end of a call as a fact. Its timing is missing, because the kernel has no clock. */
export function endOfCall(call: ToolCall, ending: Ending, maxChars: number): ToolEndDraft {
  const base = {
    type: 'tool_execution_end',
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    attempt: call.attempt,
    mayHaveRun: mayHaveRun(call),
  } as const
  if (ending.kind === 'returned' || ending.kind === 'given') {
    const isError = ending.kind === 'given' && ending.isError
    return {
      ...base,
      result: ending.result,
      isError,
      outcome: isError ? 'failed' : 'succeeded',
      ...(isError && { errorKind: 'failed' }),
      ...(!fits(ending.result.content, maxChars) && { truncatedForModel: true }),
    }
  }
  const { outcome, errorKind, text, details, how, terminate } = wordingOf(call, ending)
  return {
    ...base,
    result: {
      content: [{ type: 'text', text }],
      ...(details !== undefined && { details }),
      ...(terminate && { terminate }),
    },
    isError: true,
    outcome,
    ...(errorKind && { errorKind }),
    ...(how && { how }),
    ...(text.length > maxChars && { truncatedForModel: true }),
  }
}

function wordingOf(
  call: ToolCall,
  ending: Exclude<Ending, { kind: 'returned' | 'given' }>,
): Wording {
  const ran = mayHaveRun(call)
  switch (ending.kind) {
    case 'threw':
      return wordingOfThrow(ending)
    case 'crashed':
      return failure('crashed', texts.crashedText(ending.message))
    case 'not_started':
      // After a dispatch the text must not say that the call did not run.
      return failure('crashed', (ran ? texts.crashedText : texts.notStartedText)(ending.message))
    case 'not_found':
      return failure('not_found', texts.notFoundText(call.toolName, ending.available))
    case 'invalid_args':
      return failure('invalid_args', texts.invalidArgsText(ending.problem))
    case 'cut_off':
      return failure('truncated_call', texts.cutOffText)
    case 'limit':
      return failure('limit', texts.limitText(ending.limit))
    case 'cancelled':
      return {
        outcome: 'cancelled',
        errorKind: 'cancelled',
        text: ran ? texts.cancelledRunningText : texts.cancelledBeforeStartText,
        ...(ending.how && { how: ending.how }),
      }
    case 'timed_out':
      return {
        outcome: 'timed_out',
        errorKind: 'timeout',
        text: texts.timeoutText(ending.timeoutMs),
        how: ending.how,
      }
    case 'interrupted':
      return {
        outcome: 'interrupted',
        errorKind: 'interrupted',
        text: ran ? texts.interruptedText : texts.interruptedBeforeStartText,
      }
    case 'skipped':
      return { outcome: 'skipped', errorKind: 'skipped', text: texts.skippedText }
    case 'denied':
      return {
        outcome: 'denied',
        errorKind: 'denied',
        text: texts.deniedText(ending.reason),
        ...(ending.terminate && { terminate: true }),
      }
    case 'withheld':
      return failure('failed', texts.withheldText)
    default:
      return assertNever(ending)
  }
}

function wordingOfThrow(ending: Extract<Ending, { kind: 'threw' }>): Wording {
  const { errorKind, message, details } = ending
  const outcome = errorKind === 'cancelled' ? 'cancelled' : 'failed'
  return { outcome, errorKind, text: message, ...(details !== undefined && { details }) }
}

function failure(errorKind: ToolErrorKind, text: string): Wording {
  return { outcome: 'failed', errorKind, text }
}
