import type { Engine } from '../agent/engine.ts'
import type { Json } from '../internal/json.ts'
import { reportLater } from '../internal/report-later.ts'
import type { EventOf } from '../kernel/events.ts'
import { openCall } from '../kernel/state.ts'
import { isWaiting } from '../kernel/tool-call.ts'

/** A call that has to be allowed. */
export interface ApprovableCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly args: Json
}

/** Decides whether a call may run. Only `true` lets it. */
export type Approve = (call: ApprovableCall) => boolean | Promise<boolean>

/** Answers every call that has to be allowed, also those of agents inside calls. */
export function answerApprovals(engine: Engine, approve: Approve | undefined): void {
  async function answer(request: EventOf<'tool_approval_requested'>): Promise<void> {
    const { toolCallId, argsDigest, agentId } = request
    const verdict = await verdictOn(request, approve)
    const { runtime } = engine.subAgents.get(agentId ?? '') ?? engine
    // A call that was stopped meanwhile needs no answer.
    const call = openCall(runtime.state(), toolCallId)
    if (!call || !isWaiting(call)) return
    runtime.write({ type: 'tool_approval_resolved', toolCallId, argsDigest, ...verdict })
  }

  engine.notifier.subscribe((event) => {
    if (event.type === 'tool_approval_requested') void answer(event)
  })
}

type Verdict =
  | { readonly decision: 'approve' }
  | { readonly decision: 'deny'; readonly reason?: string }

async function verdictOn(
  { toolCallId, toolName, args }: ApprovableCall,
  approve: Approve | undefined,
): Promise<Verdict> {
  if (!approve) return { decision: 'deny', reason: 'No person can be asked.' }
  try {
    const isAllowed = await approve({ toolCallId, toolName, args })
    return { decision: isAllowed === true ? 'approve' : 'deny' }
  } catch (error) {
    reportLater(error)
    return { decision: 'deny', reason: 'Asking for it failed.' }
  }
}
