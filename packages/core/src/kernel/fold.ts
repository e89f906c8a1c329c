import { type AgentEvent, isDurable } from './events.ts'
import { foldAgents, openAgents } from './fold-agents.ts'
import { foldBatch } from './fold-batch.ts'
import { foldHistory } from './fold-history.ts'
import { foldMessage } from './fold-message.ts'
import { foldRetry } from './fold-retry.ts'
import { foldRun } from './fold-run.ts'
import { countRepeat } from './repeats.ts'
import type { State } from './state.ts'

/**
 * The state after an event. Pure and total: the state of a log is the fold of its events, and any prefix of
 * a log has a state.
 */
export function fold(state: State, event: AgentEvent): State {
  const counted = count(state, event)
  return event.agentId === undefined ? change(counted, event) : foldAgents(counted, event, change)
}

function count(state: State, event: AgentEvent): State {
  return isDurable(event)
    ? { ...state, nextSeq: event.seq + 1, sub: 0 }
    : { ...state, sub: event.sub ?? state.sub + 1 }
}

function change(state: State, event: AgentEvent): State {
  switch (event.type) {
    case 'session_opened':
      return openAgents({ ...state, bootId: event.bootId })
    case 'agent_start':
    case 'agent_end':
    case 'turn_start':
    case 'turn_end':
    case 'abort_requested':
    case 'input_rejected':
    case 'loop_detected':
    case 'output_checked':
      return foldRun(state, event)
    case 'auto_retry_start':
    case 'auto_retry_end':
      return event.scope === 'tool' ? foldBatch(state, event) : foldRun(state, event)
    case 'message_start':
    case 'message_update':
    case 'message_checkpoint':
    case 'message_end':
      return foldMessage(state, event)
    case 'tool_execution_start':
      return foldBatch(countRepeat(state, event), event)
    case 'tool_prepared':
    case 'tool_approval_requested':
    case 'tool_approval_resolved':
    case 'tool_result_staged':
    case 'tool_dispatched':
    case 'tool_running':
    case 'tool_execution_update':
    case 'tool_progress':
    case 'tool_log':
    case 'tool_cancel_requested':
    case 'tool_execution_end':
    case 'tools_end':
      return foldBatch(state, event)
    case 'tool_retry_requested':
      return foldRetry(state, event)
    case 'queue_update':
    case 'head_moved':
    case 'compaction_start':
    case 'compaction_end':
      return foldHistory(state, event)
    case 'tool_custom':
    case 'warning':
    // The state is folded from the events in their redacted form, so there is nothing left to do.
    case 'message_redacted':
      return state
  }
}
