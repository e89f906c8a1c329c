import type { DurableEvent, EventOf } from '../kernel/events.ts'
import { newAgent } from '../kernel/fold-agents.ts'
import { foldRetry } from '../kernel/fold-retry.ts'
import { callsOf, type Message } from '../kernel/message.ts'
import { openAnswerIn, openCall, type State } from '../kernel/state.ts'
import { hasEnded, isInterrupted, type ToolCall } from '../kernel/tool-call.ts'

/** Why an event cannot come next in a log that led to this state; `null` if it can. */
export function problemOfPlace(session: State, event: DurableEvent): string | null {
  const { agentId, parentToolCallId } = event
  if (event.type === 'session_opened') return null
  if (session.bootId === null) return 'a log begins with session_opened'
  if ((agentId === undefined) !== (parentToolCallId === undefined)) {
    return 'an agent inside a call needs both agentId and parentToolCallId'
  }
  const state =
    agentId === undefined ? session : (session.agents.get(agentId) ?? newAgent(session, '')).state
  const runId = state.run?.runId ?? null
  if (event.type !== 'agent_start' && event.runId !== runId) {
    return `it belongs to the run ${event.runId}, and the open one is ${runId}`
  }
  return problemIn(state, event)
}

function problemIn(state: State, event: DurableEvent): string | null {
  const { run, openMessage } = state
  switch (event.type) {
    case 'agent_start':
      return run ? 'a run starts while another one is open' : null
    case 'turn_start':
      return run?.step.kind === 'between_turns' ? null : 'a turn starts where none can'
    case 'turn_end':
      if (openMessage) return 'a message is open'
      return run && run.step.kind !== 'between_turns' ? null : 'no turn is open'
    case 'agent_end':
      if (openMessage) return 'a message is open'
      return run ? null : 'no run is open'
    case 'abort_requested':
    case 'input_rejected':
    case 'loop_detected':
    case 'output_checked':
    case 'compaction_start':
    case 'compaction_end':
      return run ? null : 'no run is open'
    case 'message_start':
      if (openMessage || run?.step.kind === 'asking') return 'another message is open'
      return problemOfMessage(state, event.message)
    case 'message_checkpoint':
      return event.messageId === openAnswerId(state) ? null : 'its message is not open'
    case 'message_end': {
      const openId = openMessage?.id ?? openAnswerId(state)
      if (event.message.id !== openId) return `the message ${event.message.id} is not open`
      return problemOfMessage(state, event.message)
    }
    case 'tools_end':
      return problemOfEnd(state)
    case 'head_moved':
      return run ? 'the head moves while a run is open' : null
    case 'message_redacted':
      return run ? 'a message is redacted while a run is open' : null
    case 'auto_retry_start':
    case 'auto_retry_end':
      if (event.scope === 'model') return run ? null : 'no run is open'
      return problemOfCall(state, event.toolCallId ?? '', () => null)
    case 'tool_retry_requested':
      return problemOfRetry(state, event)
    case 'queue_update':
    case 'warning':
    case 'session_opened':
      return null
    default:
      return problemOfCall(state, event.toolCallId, ({ stage: { kind } }) =>
        problemOfStage(event.type, kind),
      )
  }
}

function openAnswerId(state: State): string | null {
  return openAnswerIn(state)?.id ?? null
}

function problemOfMessage({ batch }: State, message: Message): string | null {
  if (message.role === 'assistant') {
    const seen = new Set<string>()
    const twice = callsOf(message.content).find(
      ({ toolCallId }) => seen.size === seen.add(toolCallId).size,
    )
    return twice ? `it makes the call ${twice.toolCallId} twice` : null
  }
  if (message.role !== 'toolResult') return null
  const { toolCallId, toolName } = batch?.toolMessages?.[batch.delivered] ?? {}
  const isDue = toolCallId === message.toolCallId && toolName === message.toolName
  return isDue ? null : `no result of the call ${message.toolCallId} is due`
}

function problemOfEnd({ batch }: State): string | null {
  if (!batch || batch.toolMessages) return 'no calls are open'
  const left = batch.calls.find((call) => !hasEnded(call))
  return left ? `the call ${left.toolCallId} has not ended` : null
}

function problemOfCall(
  state: State,
  toolCallId: string,
  problemWith: (call: ToolCall) => string | null,
): string | null {
  const call = openCall(state, toolCallId)
  if (!call) return `no answer has made the call ${toolCallId}`
  return hasEnded(call) ? `the call ${toolCallId} has ended before` : problemWith(call)
}

function problemOfRetry(state: State, event: EventOf<'tool_retry_requested'>): string | null {
  const { run } = state
  if (!run) return 'no run is open'
  // A retry is possible if it changes the state, or if the call was interrupted, because such a call goes on by itself.
  const call = openCall(state, event.toolCallId)
  const isPossible = (call && isInterrupted(call)) || foldRetry(state, event) !== state
  return isPossible ? null : `the call ${event.toolCallId} has not ended`
}

function problemOfStage(type: DurableEvent['type'], kind: ToolCall['stage']['kind']) {
  const isStarted = kind !== 'streaming'
  switch (type) {
    case 'tool_execution_start':
      return isStarted ? 'the call has started before' : null
    case 'tool_dispatched':
      return kind === 'prepared' ? null : 'the call is not prepared'
    case 'tool_execution_end':
      return isStarted ? null : 'the call has not started'
    default:
      return null
  }
}
