import { defined } from '../internal/defined.ts'
import { isJsonObject, type Json, type JsonObject } from '../internal/json.ts'
import type { Place } from '../kernel/events.ts'
import {
  type CallStage,
  type FailedAttempt,
  hasValidArgs,
  isOver,
  isWaiting,
  statusOfCall,
  type ToolCall,
  type ToolCallStatus,
} from '../kernel/tool-call.ts'
import type {
  CallLogs,
  PartialToolResult,
  ToolErrorKind,
  ToolProgress,
  ToolResult,
  ToolTiming,
} from '../kernel/tool-outcome.ts'
import type { Tool } from '../tools/definition.ts'
import type { ToolArgs, ToolOutput } from '../tools/tool-types.ts'

/**
 * A tool call as a card shows it. `toolName` decides the types of `args` and `output`, as the tool that ran it promised
 * them. A call of a tool that the agent does not have, or not any more, has no checked arguments and no output.
 */
export type ToolCallView<T extends Tool = Tool> = KnownToolCall<T> | UnknownToolCall

type KnownToolCall<T extends Tool> = T extends Tool
  ? ToolCallFields &
      ArgsView<ToolArgs<T>> & {
        readonly toolName: T['name']
        /** The output of a call that succeeded: its `result.structuredContent`. */
        readonly output?: ToolOutput<T>
        /** How the call ended before each retry, oldest first. Absent: it was not retried. */
        readonly earlier?: readonly ToolCallView<T>[]
      }
  : never

type UnknownToolCall = ToolCallFields &
  UncheckedArgs & {
    readonly toolName: string
    readonly output?: undefined
    readonly earlier?: readonly UnknownToolCall[]
  }

type ArgsView<Args> =
  | {
      /** The arguments are complete and fit the tool. */
      readonly hasValidArgs: true
      /** The arguments as the model wrote them; where the page answers the call, as hooks and people left them. */
      readonly args: Args
    }
  | UncheckedArgs

interface UncheckedArgs {
  readonly hasValidArgs: false
  /**
   * The arguments that the model wrote, once they are complete; where the page answers the call, once hooks have seen
   * them. They may not fit the tool; the raw text if they are no JSON.
   */
  readonly args?: unknown
}

interface ToolCallFields {
  readonly toolCallId: string
  /** For people: the tool's label. */
  readonly label: string
  /** The answer that made the call. */
  readonly messageId: string
  readonly status: ToolCallStatus
  /** Whether it has reached its end: `status` will not change any more. */
  readonly hasEnded: boolean
  /** The raw arguments; they grow while the answer streams. */
  readonly argsText: string
  readonly place?: Place
  /** What a person is asked to allow. Set while the status is `awaiting_approval`. */
  readonly approval?: ApprovalView
  /** The page has answered the call, which ends with that answer when the run goes on. */
  readonly isAnswered?: true
  /** How often the call was handed to its code; attempts before a retry by a person count, too. */
  readonly attempt: number
  /**
   * The failed attempts that were repeated because the tool has `retry`, oldest first. Those before a retry by a person
   * are in `earlier`. Absent: none.
   */
  readonly failedAttempts?: readonly FailedAttempt[]
  readonly progress?: ToolProgress
  /** The result so far. Once the call has ended: the last one, if it did not succeed. */
  readonly partial?: PartialToolResult
  /** The last lines of the call's log. Once the call has ended, a page that did not see it has at most 20 of them. */
  readonly logs: CallLogs
  readonly result?: ToolResult
  readonly isError: boolean
  readonly errorKind?: ToolErrorKind
  /** Whether the tool's code may have had effects. Known at the end. */
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

/** The place of a call among agents: which call it is inside of, and which agents run inside it. */
export type CallPlace = Pick<ToolCallFields, 'agentId' | 'parentToolCallId' | 'children'>

/** An approval must name the digest of exactly these arguments, or it does not count. */
interface ApprovalView {
  readonly args: JsonObject
  readonly argsDigest: string
}

/** When a call was accepted, handed to a worker, began to run and ended, in epoch milliseconds. */
interface CallTimes {
  readonly acceptedAt?: number
  readonly dispatchedAt?: number
  readonly runningAt?: number
  readonly endedAt?: number
}

/** The facts about a call's tool that are not in the log. */
export type CalledTool = Pick<Tool, 'label' | 'effects'>

/** The parts of a view. The same parts give the same view, so an idle card is not rendered again. */
interface ViewParts {
  readonly place: CallPlace
  /** The tool of the call; `undefined`: the agent has no such tool. */
  readonly tool: CalledTool | undefined
}

const views = new WeakMap<ToolCall, ViewParts & { readonly view: ToolCallView }>()

export function viewOfCall(call: ToolCall, { place, tool }: ViewParts): ToolCallView {
  const known = views.get(call)
  if (known && known.tool === tool && known.place.children === place.children) return known.view
  const view = makeView(call, { place, tool })
  views.set(call, { place, tool, view })
  return view
}

function makeView(call: ToolCall, { place, tool }: ViewParts): ToolCallView {
  const {
    stage,
    cancelledBy: _by,
    staged,
    repetitions: _times,
    isTwin: _is,
    retry,
    ...shown
  } = call
  const ended = endOf(stage)
  const output = ended.isError ? undefined : ended.result?.structuredContent
  return {
    ...shown,
    // The log has the label from when the call is accepted.
    ...(stage.kind === 'streaming' && tool && { label: tool.label }),
    status: statusOfCall(call),
    hasEnded: isOver(call),
    ...argsOf(call, tool),
    ...(stage.kind !== 'streaming' && { place: stage.place }),
    ...(stage.kind === 'awaiting_approval' &&
      isWaiting(call) && {
        approval: { args: stage.approvalArgs, argsDigest: stage.argsDigest },
      }),
    ...(staged && !isOver(call) && { isAnswered: true }),
    ...ended,
    ...(tool && output !== undefined && { output }),
    times: timesOf(stage),
    ...place,
    ...(retry && { earlier: retry.earlier.map((one) => viewOfCall(one, { place: {}, tool })) }),
  }
}

interface GivenArgs {
  readonly args: Json
  readonly effectiveArgs?: Json
}

function argsOf(call: ToolCall, tool: CalledTool | undefined): ArgsView<JsonObject> {
  const { stage } = call
  if (stage.kind === 'streaming') return { hasValidArgs: false }
  // Hooks may still change what the page is to answer: it would read two versions of one call.
  if (stage.kind === 'accepted' && stage.place === 'client') return { hasValidArgs: false }
  const { args: written, effectiveArgs = written }: GivenArgs = stage
  // What was redacted is a text.
  const fits = hasValidArgs(call) && isJsonObject(written)
  const args = fits && stage.place === 'client' ? effectiveArgs : written
  return tool && fits && isJsonObject(args)
    ? { hasValidArgs: true, args }
    : { hasValidArgs: false, args }
}

type End = Pick<
  ToolCallFields,
  'result' | 'isError' | 'errorKind' | 'mayHaveRun' | 'how' | 'truncatedForModel' | 'timing'
>

function endOf(stage: CallStage): End {
  if (stage.kind !== 'ended') return { isError: false, truncatedForModel: false }
  const { result, isError, errorKind, mayHaveRun, how, truncatedForModel, timing } = stage
  return { result, isError, mayHaveRun, truncatedForModel, timing, ...defined({ errorKind, how }) }
}

function timesOf(stage: CallStage): CallTimes {
  if (stage.kind === 'streaming') return {}
  const { acceptedAt } = stage
  const dispatchedAt = 'dispatchedAt' in stage ? stage.dispatchedAt : undefined
  if (stage.kind !== 'ended') {
    const runningAt = stage.kind === 'running' ? stage.runningAt : undefined
    return defined({ acceptedAt, dispatchedAt, runningAt })
  }
  const { endedAt, timing } = stage
  // The start of the code is an ephemeral event, but its duration is stored.
  const hasRun = dispatchedAt !== undefined && timing.runMs > 0
  const runningAt = hasRun ? endedAt - timing.runMs : undefined
  return defined({ acceptedAt, dispatchedAt, runningAt, endedAt })
}
