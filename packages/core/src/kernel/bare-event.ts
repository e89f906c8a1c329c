import { defined } from '../internal/defined.ts'
import type { DurableEvent } from './events.ts'
import {
  redactedAnswer,
  redactedError,
  redactedMessage,
  redactedParts,
  redactedResult,
  redactedText,
} from './redacted-content.ts'
import type { ToolMessage } from './tool-outcome.ts'

/**
 * The event without what was said in it, given to a call or returned by one. Its type, its place, ids, names, times and
 * figures stay, so that a log of such events folds to a state of the same shape. An event that holds none of that is
 * returned as it is.
 */
export function bareEvent(event: DurableEvent): DurableEvent {
  switch (event.type) {
    case 'agent_start':
      return event.input ? { ...event, input: redactedParts(event.input) } : event
    case 'message_start':
      return { ...event, message: redactedMessage(event.message) }
    case 'message_end': {
      const error = event.error && redactedError(event.error)
      return { ...event, message: redactedMessage(event.message), ...defined({ error }) }
    }
    case 'message_checkpoint':
      return { ...event, content: redactedAnswer(event.content) }
    case 'agent_end':
    case 'auto_retry_end':
      return event.error ? { ...event, error: redactedError(event.error) } : event
    case 'auto_retry_start':
      return { ...event, error: redactedError(event.error) }
    case 'queue_update': {
      const { steering, followUp } = event
      return {
        ...event,
        steering: steering.map(redactedParts),
        followUp: followUp.map(redactedParts),
      }
    }
    case 'compaction_end': {
      // Without the summary, the messages that it replaced are sent again, and summarised again where they are too
      // long.
      const { result: _, ...rest } = event
      return rest
    }
    case 'warning':
      return { ...event, message: redactedText }
    case 'input_rejected':
      return { ...event, reason: redactedText }
    case 'output_checked':
      return event.problem === undefined ? event : { ...event, problem: redactedText }
    case 'abort_requested':
      return event.reason === undefined ? event : { ...event, reason: redactedText }
    default:
      return bareCallEvent(event)
  }
}

function bareCallEvent(event: DurableEvent): DurableEvent {
  switch (event.type) {
    case 'tool_execution_start':
      return { ...event, args: redactedText }
    // An empty object takes the place of arguments whose type demands an object, a text the place of all others.
    case 'tool_prepared':
      return { ...event, effectiveArgs: {} }
    // The digest goes too: where few arguments are possible, it gives away which they were.
    case 'tool_approval_requested':
      return { ...event, args: {}, argsDigest: redactedText }
    case 'tool_approval_resolved': {
      const args = event.args === undefined ? undefined : {}
      const reason = event.reason === undefined ? undefined : redactedText
      return { ...event, argsDigest: redactedText, ...defined({ args, reason }) }
    }
    case 'tool_result_staged':
      return { ...event, result: redactedResult(event.result) }
    case 'tool_execution_end': {
      const { partialResult: _partial, logs: _logs, ...rest } = event
      return { ...rest, result: redactedResult(event.result) }
    }
    case 'tools_end':
      return { ...event, toolMessages: event.toolMessages.map(bareToolMessage) }
    case 'tool_custom':
      return { ...event, data: null }
    default:
      return event
  }
}

export function bareToolMessage(message: ToolMessage): ToolMessage {
  return { ...message, content: redactedParts(message.content) }
}
