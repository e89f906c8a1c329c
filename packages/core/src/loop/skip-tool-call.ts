import { type Environment, platformEnvironment } from '../internal/environment.ts'
import { endOfCall } from '../kernel/ending.ts'
import type { Fact } from '../kernel/events.ts'
import { readArgs, type ToolCallContent, type ToolResultMessage } from '../kernel/message.ts'
import { announcedCall } from '../kernel/tool-call.ts'
import { createLedger } from '../runtime/ledger.ts'
import { createNotifier } from '../runtime/notifier.ts'
import { readCall } from './calling-message.ts'
import { isOfCalls, only, type ToolCallEvent } from './own-events.ts'

/** How to report a call that is skipped. */
export interface SkipToolCallOptions {
  /** Called with start, end and result message, in this order, before the function returns. */
  readonly onEvent?: (event: ToolCallEvent) => void
  /** The name that people see. Default: the tool's name. */
  readonly label?: string
}

/**
 * Answers a call without running it, because the user has sent a new message. For loops of your own:
 * `executeToolCalls` does it by itself where steering skips a call.
 *
 * Throws a `TypeError` for what is no call.
 *
 * @example
 * ```ts
 * const results = unstarted.map((call) => skipToolCall(call, { onEvent: show }))
 * history.push(answer, ...results)
 * ```
 */
export function skipToolCall(
  call: ToolCallContent,
  options: SkipToolCallOptions = {},
): ToolResultMessage {
  return skipToolCallIn(call, options, platformEnvironment)
}

/** `skipToolCall` in a given environment: for tests. */
export function skipToolCallIn(
  call: ToolCallContent,
  { onEvent, label = call?.toolName }: SkipToolCallOptions,
  { clock, newId }: Environment,
): ToolResultMessage {
  const { toolCallId, toolName, argsText } = readCall(call)
  const notifier = createNotifier()
  const ledger = createLedger({ sessionId: newId('session'), clock, notifier })
  notifier.subscribe(only(isOfCalls, onEvent))
  const reading = readArgs(argsText)
  const args = reading.ok ? reading.args : argsText
  const place = { index: 0, batchSize: 1, place: 'worker' } as const
  const end = endOfCall(announcedCall(call, ''), { kind: 'skipped' }, Infinity)
  const { isError, result } = end
  const base = { id: newId('msg'), parentId: null, role: 'toolResult' } as const
  const message = { ...base, toolCallId, toolName, content: result.content, isError }
  const facts: readonly Fact[] = [
    { type: 'session_opened', bootId: newId('boot') },
    { type: 'tool_execution_start', toolCallId, toolName, label, args, ...place },
    { ...end, timing: { queuedMs: 0, startMs: 0, runMs: 0 } },
    { type: 'message_start', message },
    { type: 'message_end', message },
  ]
  for (const fact of facts) ledger.append(fact, null)
  ledger.complete()
  return message
}
