import type { Json } from '../../packages/core/src/internal/json.ts'
import type { AgentEvent } from '../../packages/core/src/kernel/events.ts'
import { callsOf } from '../../packages/core/src/kernel/message.ts'

/** An approval that waits for a person. */
interface PendingApproval {
  readonly toolCallId: string
  readonly argsDigest: string
  readonly args: Json
}

/** What a user can see and act upon, read off the events. */
export interface Desk {
  readonly see: (event: AgentEvent) => void
  /** Calls of committed answers that have not ended, in call order. */
  readonly openCalls: () => readonly string[]
  readonly approvals: () => readonly PendingApproval[]
  /** Digests that were asked for once and are not any more. */
  readonly staleDigests: () => readonly string[]
  readonly messageIds: () => readonly string[]
  /** How far the run is, if one is active. */
  readonly run: () => 'none' | 'active' | 'aborting'
}

export function createDesk(before: readonly AgentEvent[] = []): Desk {
  const openCalls = new Set<string>()
  const approvals = new Map<string, PendingApproval>()
  const stale: string[] = []
  const messageIds: string[] = []
  let run: 'none' | 'active' | 'aborting' = 'none'
  const desk: Desk = {
    see: (event) => {
      switch (event.type) {
        case 'agent_start':
          run = 'active'
          break
        case 'abort_requested':
          run = 'aborting'
          break
        case 'agent_end':
          run = 'none'
          break
        case 'tool_execution_end': {
          openCalls.delete(event.toolCallId)
          approvals.delete(event.toolCallId)
          break
        }
        case 'tool_approval_requested': {
          const { toolCallId, argsDigest, args } = event
          approvals.set(toolCallId, { toolCallId, argsDigest, args })
          break
        }
        case 'tool_approval_resolved':
          approvals.delete(event.toolCallId)
          stale.push(event.argsDigest)
          break
        case 'message_end':
          messageIds.push(event.message.id)
          if (event.message.role !== 'assistant' || event.excluded) break
          for (const { toolCallId } of callsOf(event.message.content)) openCalls.add(toolCallId)
          break
        default:
      }
    },
    openCalls: () => [...openCalls],
    approvals: () => [...approvals.values()],
    staleDigests: () => stale,
    messageIds: () => messageIds,
    run: () => run,
  }
  for (const event of before) desk.see(event)
  return desk
}
