import type { Json, JsonObject } from '../internal/json.ts'
import type { Place } from '../kernel/events.ts'
import type { CallLogs, CallStage, ToolCall, ToolCallStatus } from '../kernel/tool-call.ts'
import { statusOfCall } from '../kernel/tool-call.ts'
import type {
  PartialToolResult,
  ToolErrorKind,
  ToolProgress,
  ToolResult,
  ToolTiming,
} from '../kernel/tool-result.ts'

/** A tool call as a card shows it. */
export interface ToolCallView {
  readonly toolCallId: string
  readonly toolName: string
  /** For people: the tool's label. */
  readonly label: string
  /** The answer that made the call. */
  readonly messageId: string
  readonly status: ToolCallStatus
  /** Whether it has reached its end: `status` will not change any more. */
  readonly hasEnded: boolean
  /** The raw arguments; they grow while the answer streams. */
  readonly argsText: string
  /** The arguments, once they are complete; the raw text if they are not JSON. */
  readonly args?: Json
  readonly place?: Place
  /** What a person is asked to allow, while the status is `awaiting_approval`. */
  readonly approval?: ApprovalView
  readonly attempt: number
  readonly progress?: ToolProgress
  readonly partial?: PartialToolResult
  readonly logs: CallLogs
  readonly result?: ToolResult
  readonly isError: boolean
  readonly errorKind?: ToolErrorKind
  /** Known at the end: whether the tool's code may have had effects. */
  readonly mayHaveRun?: boolean
  /** How a cancelled or timed out call ended: by itself, or cut off. */
  readonly how?: 'cooperative' | 'terminated'
  /** The model reads less than the whole result. */
  readonly truncatedForModel: boolean
  /** Durations, known at the end. */
  readonly timing?: ToolTiming
  /** Epoch milliseconds of what has happened so far. */
  readonly times: CallTimes
  /** The agent that made the call, if that runs inside another call. */
  readonly agentId?: string
  /** The call inside which that agent runs. */
  readonly parentToolCallId?: string
  /**
   * While an agent runs inside this call: the ids of all calls it has made, ended ones too, oldest first. Each is
   * found by `toolCalls.get`.
   */
  readonly children?: readonly string[]
}

/** Where a call stands among the agents: in none of them, or inside a call, or around others. */
export type CallPlace = Pick<ToolCallView, 'agentId' | 'parentToolCallId' | 'children'>

/** Exactly these arguments are to be allowed: an answer with another digest does not count. */
export interface ApprovalView {
  readonly args: JsonObject
  readonly argsDigest: string
}

/** When a call was accepted, handed to a worker, began to run and ended, in epoch milliseconds. */
export interface CallTimes {
  readonly acceptedAt?: number
  readonly dispatchedAt?: number
  readonly runningAt?: number
  readonly endedAt?: number
}

const views = new WeakMap<ToolCall, ToolCallView>()

/** The view of a call. The same call with the same children gives the same object, so an idle card is not rendered again. */
export function viewOfCall(call: ToolCall, place: CallPlace = {}, label?: string): ToolCallView {
  const known = views.get(call)
  if (known && known.children === place.children) return known
  // The log has the label from when the call is accepted.
  const isNamed = call.stage.kind === 'streaming' && label !== undefined
  const view = makeView(isNamed ? { ...call, label } : call, place)
  views.set(call, view)
  return view
}

function makeView(call: ToolCall, place: CallPlace): ToolCallView {
  const { stage, cancelledBy: _by, staged: _staged, repetitions: _times, ...shown } = call
  return {
    ...shown,
    status: statusOfCall(call),
    hasEnded: stage.kind === 'ended',
    ...(stage.kind !== 'streaming' && { args: stage.args, place: stage.place }),
    ...(stage.kind === 'awaiting_approval' && {
      approval: { args: stage.approvalArgs, argsDigest: stage.argsDigest },
    }),
    ...endOf(stage),
    times: timesOf(stage),
    ...place,
  }
}

type End = Pick<
  ToolCallView,
  'result' | 'isError' | 'errorKind' | 'mayHaveRun' | 'how' | 'truncatedForModel' | 'timing'
>

function endOf(stage: CallStage): End {
  if (stage.kind !== 'ended') return { isError: false, truncatedForModel: false }
  const { result, isError, errorKind, mayHaveRun, how, truncatedForModel, timing } = stage
  return {
    result,
    isError,
    mayHaveRun,
    truncatedForModel,
    timing,
    ...(errorKind && { errorKind }),
    ...(how && { how }),
  }
}

function timesOf(stage: CallStage): CallTimes {
  switch (stage.kind) {
    case 'streaming':
      return {}
    case 'accepted':
    case 'awaiting_approval':
    case 'approved':
    case 'edited':
    case 'denied':
    case 'prepared':
      return { acceptedAt: stage.acceptedAt }
    case 'dispatched':
      return { acceptedAt: stage.acceptedAt, dispatchedAt: stage.dispatchedAt }
    case 'running':
      return {
        acceptedAt: stage.acceptedAt,
        dispatchedAt: stage.dispatchedAt,
        runningAt: stage.runningAt,
      }
    case 'ended': {
      const { acceptedAt, dispatchedAt, endedAt, timing } = stage
      if (dispatchedAt === undefined) return { acceptedAt, endedAt }
      // That it began was said by an event that need not be stored; how long it ran is known for good.
      const ran = timing.runMs > 0 && { runningAt: endedAt - timing.runMs }
      return { acceptedAt, dispatchedAt, ...ran, endedAt }
    }
  }
}
