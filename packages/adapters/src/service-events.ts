import type { AgentEvent, EventOf, Json, Part, ToolErrorKind, ToolOutcome } from '@offthread/core'
import { createStreamedText } from './streamed-text.ts'

/** What the model reads of one call. */
export interface ServiceToolMessage {
  readonly role: 'tool'
  readonly tool_call_id: string
  readonly name: string
  readonly content: readonly Part[]
  readonly is_error: boolean
}

/** How one call ended, for tracking. */
export interface ServiceExecutionResult {
  readonly tool_call_id: string
  readonly tool_name: string
  readonly success: boolean
  readonly outcome: ToolOutcome
  readonly error_kind?: ToolErrorKind
  readonly duration_ms: number
}

/** An event of the loop itself. */
export type ServiceLoopEvent =
  | { readonly event: 'assistant_message_delta'; readonly data: { readonly delta: string } }
  /** The answer failed: this text, the last that was sent, is no part of it. Another attempt may follow. */
  | { readonly event: 'assistant_message_retracted'; readonly data: { readonly text: string } }
  | { readonly event: 'thinking'; readonly data: { readonly message: string } }
  | {
      readonly event: 'tools_end'
      readonly data: {
        readonly tool_messages: readonly ServiceToolMessage[]
        /**
         * Only the calls that ended for this event, not those that keep their result while another call runs once more.
         */
        readonly execution_results: readonly ServiceExecutionResult[]
      }
    }

/** An event that a tool emitted: `tool_status`, `progress`, or one of its own. */
export interface ServiceToolEvent {
  readonly event: string
  readonly data: Json
}

/** An event as consumers of a tool service expect it: a name, such as `tools_end`, and data. */
export type ServiceEvent = ServiceLoopEvent | ServiceToolEvent

/**
 * Maps the events of one agent to `tool_status`, `tools_end` and the like. What a tool emits under a name of
 * its own goes on unchanged under that name; only the names of the loop are not a tool's to use. When an answer
 * fails, `assistant_message_retracted` takes back its text, before the attempt that replaces it sends any. A call that
 * runs once more after its `tools_end` gives another one, with the messages of all calls of its answer. There is no
 * event for the start of a call, and events of sub-agents are left out.
 *
 * @example
 * ```ts
 * const toService = createServiceEvents()
 * agent.subscribe((event) => toService(event).map(toServerSentEvent).forEach(send))
 * ```
 */
export function createServiceEvents(): (event: AgentEvent) => readonly ServiceEvent[] {
  const textChanges = createStreamedText()
  /** The calls whose last end was sent. */
  const tracked = new Set<string>()
  let afterTools = false
  let goesOn = true
  return (event) => {
    if (event.agentId !== undefined) return []
    switch (event.type) {
      case 'agent_start':
        // A run that goes on may begin with the answer to the tools of the one before.
        goesOn = event.trigger === 'continue' || event.trigger === 'resume'
        if (!goesOn) afterTools = false
        return []
      case 'tool_execution_end':
        tracked.delete(event.toolCallId)
        return []
      case 'tools_end': {
        // What a new prompt ends before its first turn, it has cancelled.
        afterTools = goesOn || event.turn > 0
        const ended = event.executionResults.filter(({ toolCallId }) => !tracked.has(toolCallId))
        for (const { toolCallId } of ended) tracked.add(toolCallId)
        return [toolsEnd(event, ended)]
      }
      case 'turn_start': {
        // Only a turn that follows tool calls has this event, so the turn of a follow-up may have none.
        const isBetween = afterTools
        afterTools = false
        return isBetween ? [{ event: 'thinking', data: { message: 'Processing...' } }] : []
      }
      case 'message_update':
      case 'message_end':
        return textChanges(event).map(({ type, text }) =>
          type === 'added'
            ? { event: 'assistant_message_delta', data: { delta: text } }
            : { event: 'assistant_message_retracted', data: { text } },
        )
      case 'tool_progress':
        return [progress(event)]
      case 'tool_custom':
        return reserved.has(event.name) ? [] : [{ event: event.name, data: event.data }]
      default:
        return []
    }
  }
}

const reserved: ReadonlySet<string> = new Set([
  'assistant_message_delta',
  'assistant_message_retracted',
  'thinking',
  'tools_end',
] satisfies ServiceLoopEvent['event'][])

function progress(event: EventOf<'tool_progress'>): ServiceToolEvent {
  const { toolCallId, toolName, status, message, value, total, unit } = event
  const figures = {
    ...(value !== undefined && { value }),
    ...(total !== undefined && { total }),
    ...(unit !== undefined && { unit }),
  }
  const data = { ...figures, tool_call_id: toolCallId, tool_name: toolName }
  if (status !== undefined) {
    return { event: 'tool_status', data: { status, message: message ?? '', ...data } }
  }
  return { event: 'progress', data: message === undefined ? data : { message, ...data } }
}

function toolsEnd(
  { toolMessages }: EventOf<'tools_end'>,
  ended: EventOf<'tools_end'>['executionResults'],
): ServiceLoopEvent {
  return {
    event: 'tools_end',
    data: {
      tool_messages: toolMessages.map(({ toolCallId, toolName, content, isError }) => ({
        role: 'tool',
        tool_call_id: toolCallId,
        name: toolName,
        content,
        is_error: isError,
      })),
      execution_results: ended.map((result) => ({
        tool_call_id: result.toolCallId,
        tool_name: result.toolName,
        success: !result.isError,
        outcome: result.outcome,
        ...(result.errorKind !== undefined && { error_kind: result.errorKind }),
        duration_ms: result.timing.runMs,
      })),
    },
  }
}
