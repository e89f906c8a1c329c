import type {
  AgentEvent,
  EventOf,
  Json,
  Message,
  Part,
  PartialToolResult,
  RunEndReason,
} from '@offthread/core'

interface OfCall {
  readonly tool_call_id: string
  readonly tool_name: string
}

/** What a tool returned, or has reported until now. `details` are for people, `null` where there are none. */
export interface YoagentToolResult {
  readonly content: readonly Part[]
  readonly details: Json
}

/** An event with the names of yoagent's `AgentEvent`. */
export type YoagentEvent =
  | (OfCall & { readonly type: 'ToolExecutionStart'; readonly args: Json })
  | (OfCall & {
      readonly type: 'ToolExecutionUpdate'
      readonly partial_result: YoagentToolResult
    })
  | (OfCall & {
      readonly type: 'ToolExecutionEnd'
      readonly result: YoagentToolResult
      readonly is_error: boolean
    })
  | (OfCall & { readonly type: 'ProgressMessage'; readonly text: string })
  /** An answer begins. Pieces of an answer before it that has no `MessageEnd` are replaced. */
  | { readonly type: 'MessageStart' }
  | {
      readonly type: 'MessageUpdate'
      readonly delta: { readonly type: 'Text' | 'Thinking'; readonly delta: string }
    }
  /** The answer is part of the conversation, with this text. */
  | {
      readonly type: 'MessageEnd'
      readonly message: {
        readonly role: 'assistant'
        readonly content: readonly Extract<Part, { readonly type: 'text' }>[]
      }
    }
  /** Ends the stream of a run. */
  | { readonly type: 'AgentEnd'; readonly reason: RunEndReason }

/**
 * Maps the events of one agent to yoagent's. Each call's end comes when the call ends. Progress in numbers
 * becomes a text such as `3/40 files`. An answer that failed has a `MessageStart` and no `MessageEnd`, as in
 * yoagent: the next `MessageStart` begins the attempt that replaces it. Events of sub-agents are left out.
 *
 * @example
 * ```ts
 * const toYoagent = createYoagentEvents()
 * agent.subscribe((event) => toYoagent(event).forEach(show))
 * ```
 */
export function createYoagentEvents(): (event: AgentEvent) => readonly YoagentEvent[] {
  return (event) => {
    if (event.agentId !== undefined) return []
    switch (event.type) {
      case 'tool_execution_start':
        return [{ type: 'ToolExecutionStart', ...named(event), args: event.args }]
      case 'tool_execution_update': {
        const partial = resultOf(event.partialResult)
        return [{ type: 'ToolExecutionUpdate', ...named(event), partial_result: partial }]
      }
      case 'tool_execution_end': {
        const { result, isError } = event
        const end = { result: resultOf(result), is_error: isError }
        return [{ type: 'ToolExecutionEnd', ...named(event), ...end }]
      }
      case 'tool_progress':
        return [{ type: 'ProgressMessage', ...named(event), text: wordsOf(event) }]
      case 'message_start':
        return event.message.role === 'assistant' ? [{ type: 'MessageStart' }] : []
      case 'message_update':
        return deltaOf(event)
      case 'message_end':
        return event.excluded ? [] : endOf(event.message)
      case 'agent_end':
        return [{ type: 'AgentEnd', reason: event.reason }]
      default:
        return []
    }
  }
}

function endOf({ role, content }: Message): readonly YoagentEvent[] {
  if (role !== 'assistant') return []
  const texts = content.filter((part) => part.type === 'text')
  return [{ type: 'MessageEnd', message: { role, content: texts } }]
}

function named(event: { readonly toolCallId: string; readonly toolName: string }): OfCall {
  return { tool_call_id: event.toolCallId, tool_name: event.toolName }
}

function resultOf({ content, details }: PartialToolResult): YoagentToolResult {
  return { content, details: details ?? null }
}

function wordsOf({ message, status, value, total, unit }: EventOf<'tool_progress'>): string {
  const figures = [value, total].filter((figure) => figure !== undefined).join('/')
  const amount = [figures, unit].filter(Boolean).join(' ')
  return message ?? status ?? amount
}

function deltaOf({
  assistantMessageEvent: step,
}: EventOf<'message_update'>): readonly YoagentEvent[] {
  switch (step.type) {
    case 'text_delta':
      return [{ type: 'MessageUpdate', delta: { type: 'Text', delta: step.delta } }]
    case 'thinking_delta':
      return [{ type: 'MessageUpdate', delta: { type: 'Thinking', delta: step.delta } }]
    default:
      return []
  }
}
