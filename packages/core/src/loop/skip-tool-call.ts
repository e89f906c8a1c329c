import { createParts } from '../agent/parts.ts'
import type { Environment } from '../internal/environment.ts'
import { platformEnvironment } from '../internal/environment.ts'
import { endOfCall } from '../kernel/ending.ts'
import type { ToolCallContent, ToolResultMessage } from '../kernel/message.ts'
import { readArgs } from '../kernel/message.ts'
import { announcedCall } from '../kernel/tool-call.ts'
import { readCall } from './calling-message.ts'
import type { ToolCallEvent } from './own-events.ts'
import { isOfCalls, only } from './own-events.ts'
import { privateEnvironment } from './private-environment.ts'
import { replayModel } from './replay-model.ts'

/** Who is told of a call that is skipped, and under which name. */
export interface SkipToolCallOptions {
  /** Told of start, end and result message, in this order, before the function returns. */
  readonly onEvent?: (event: ToolCallEvent) => void
  /** What people see of the tool. Default: its name. */
  readonly label?: string
}

/**
 * Answers a call that is not to run, because the user said something else. For loops of your own: `executeToolCalls`
 * does this by itself where steering skips a call.
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

/** `skipToolCall` with time and ids of one's own: for tests. */
export function skipToolCallIn(
  call: ToolCallContent,
  { onEvent, label }: SkipToolCallOptions,
  environment: Environment,
): ToolResultMessage {
  const { toolCallId, toolName, argsText } = readCall(call)
  const parts = createParts({ model: replayModel([], 'stop') }, privateEnvironment(environment))
  const { runtime, notifier, settings } = parts
  const { maxToolResultChars } = settings().kernel
  const reading = readArgs(argsText)
  const end = endOfCall(announcedCall(call, ''), { kind: 'skipped' }, maxToolResultChars)
  const message: ToolResultMessage = {
    id: environment.newId('msg'),
    parentId: null,
    role: 'toolResult',
    toolCallId,
    toolName,
    content: end.result.content,
    isError: end.isError,
  }
  notifier.subscribe(only(isOfCalls, onEvent))
  runtime.write(
    {
      type: 'tool_execution_start',
      toolCallId,
      toolName,
      label: label ?? toolName,
      args: reading.ok ? reading.args : argsText,
      index: 0,
      batchSize: 1,
      place: 'worker',
    },
    end,
    { type: 'message_start', message },
    { type: 'message_end', message },
  )
  parts.dispose()
  return message
}
