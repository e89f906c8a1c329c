import { defined } from '../internal/defined.ts'
import { isJsonObject } from '../internal/json.ts'
import type { EventOf } from './events.ts'
import type { CallStage } from './tool-call.ts'

/** The events that lead a call from one stage to the next, except for its end. */
export type StageEvent = EventOf<
  | 'tool_execution_start'
  | 'tool_prepared'
  | 'tool_approval_requested'
  | 'tool_approval_resolved'
  | 'auto_retry_start'
  | 'tool_dispatched'
  | 'tool_running'
>

/**
 * The stage of a call after an event. An event that does not fit the stage changes nothing. `isLost`: its run started in
 * an earlier opening of the log.
 */
export function foldStage(stage: CallStage, event: StageEvent, isLost = false): CallStage {
  switch (event.type) {
    case 'tool_execution_start': {
      if (stage.kind !== 'streaming') return stage
      const { args, index, place, ts } = event
      return { kind: 'accepted', args, index, place, acceptedAt: ts }
    }
    case 'tool_approval_requested': {
      const { args, argsDigest } = event
      if (stage.kind !== 'accepted' || !isJsonObject(args)) return stage
      return { ...stage, kind: 'awaiting_approval', approvalArgs: args, argsDigest }
    }
    case 'tool_approval_resolved':
      return resolve(stage, event)
    case 'tool_prepared': {
      if (stage.kind !== 'accepted' && stage.kind !== 'approved' && stage.kind !== 'edited') {
        return stage
      }
      const { effectiveArgs, isUnchecked } = event
      const accepted = { ...acceptedPart(stage), ...defined({ isUnchecked }) }
      return { ...accepted, kind: 'prepared', effectiveArgs, retryDelayMs: 0 }
    }
    case 'tool_dispatched': {
      if (stage.kind !== 'prepared') return stage
      const { effectiveArgs } = stage
      const { executionId, ts } = event
      const accepted = acceptedPart(stage)
      return { ...accepted, kind: 'dispatched', effectiveArgs, executionId, dispatchedAt: ts }
    }
    case 'tool_running':
      if (stage.kind !== 'dispatched' || stage.executionId !== event.executionId) return stage
      return { ...stage, kind: 'running', runningAt: event.ts }
    case 'auto_retry_start': {
      if (stage.kind !== 'dispatched' && stage.kind !== 'running') return stage
      const { effectiveArgs } = stage
      const retryDelayMs = event.delayMs
      const accepted = { ...acceptedPart(stage), ...(isLost && { wasInterrupted: true as const }) }
      return { ...accepted, kind: 'prepared', effectiveArgs, retryDelayMs }
    }
  }
}

// An approval counts only for the call and the arguments that its digest names.
function resolve(stage: CallStage, event: EventOf<'tool_approval_resolved'>): CallStage {
  if (stage.kind !== 'awaiting_approval' || stage.argsDigest !== event.argsDigest) return stage
  switch (event.decision) {
    case 'approve':
      return { ...stage, kind: 'approved' }
    case 'deny':
      return { ...acceptedPart(stage), kind: 'denied', reason: event.reason }
    case 'edit': {
      const { args } = event
      if (args === undefined || !isJsonObject(args)) return stage
      return { ...stage, kind: 'edited', approvalArgs: args }
    }
  }
}

type Accepted = Exclude<CallStage, { readonly kind: 'streaming' | 'ended' }>

/** The fields that a call has once it was accepted. */
export function acceptedPart({
  args,
  index,
  place,
  acceptedAt,
}: Accepted): Pick<Accepted, 'args' | 'index' | 'place' | 'acceptedAt'> {
  return { args, index, place, acceptedAt }
}
