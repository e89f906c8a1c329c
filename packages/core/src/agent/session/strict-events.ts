import type { DurableEvent } from '../../kernel/events.ts'
import { openCall } from '../../kernel/state.ts'
import { agentIn } from './agent-in.ts'
import type { SessionPorts } from './ports.ts'

/**
 * Whether an event has to be on the disk before it counts. That is what a person answered, because a person may not be
 * asked twice, and the start of code that changes something, because it may not run twice.
 */
export function isStrict(
  { state, findTool }: Pick<SessionPorts, 'state' | 'findTool'>,
  event: DurableEvent,
): boolean {
  switch (event.type) {
    case 'tool_approval_resolved':
    case 'tool_result_staged':
      return true
    case 'tool_dispatched': {
      const { agentId, toolCallId } = event
      const agent = agentIn(state(), agentId)
      const toolName = agent && openCall(agent, toolCallId)?.toolName
      const tool = toolName === undefined ? undefined : findTool(toolName, agentId)
      return tool?.effects === 'writes'
    }
    default:
      return false
  }
}
