import { defined } from '../internal/defined.ts'
import { isJsonObject, type Json, type JsonObject } from '../internal/json.ts'
import type { Place } from './events.ts'
import { type ArgsReading, readArgs, type ToolCallContent } from './message.ts'
import type {
  CallLogs,
  PartialToolResult,
  ToolErrorKind,
  ToolOutcome,
  ToolPreparation,
  ToolProgress,
  ToolResult,
  ToolTiming,
} from './tool-outcome.ts'

/** What a call is doing now, or how it ended. */
export type ToolCallStatus =
  | 'input_streaming'
  | 'awaiting_approval'
  | 'queued'
  | 'starting'
  | 'running'
  | 'cancelling'
  | ToolOutcome

/** One tool call, from the moment the model names it to its end. */
export interface ToolCall {
  readonly toolCallId: string
  readonly toolName: string
  /** The name of the tool for people: its `name` until the call is accepted, then its label. */
  readonly label: string
  /** The answer that made the call. */
  readonly messageId: string
  /** The arguments as the model wrote them; they grow while the answer streams. */
  readonly argsText: string
  readonly stage: CallStage
  /** How often the call was dispatched to its code: from 1 on it may have had effects. */
  readonly attempt: number
  /** The failed attempts that a rule has retried, since a person last asked for the call to be run. */
  readonly failedAttempts?: readonly FailedAttempt[]
  /** How often the run has made this call, this one included. */
  readonly repetitions: number
  /** An earlier call of the same answer is equal. */
  readonly isTwin?: true
  /** An answer from the page (`addToolResult`), until the call ends with it. */
  readonly staged?: StagedResult
  /** Set when a person has asked to run the call once more. */
  readonly retry?: CallRetry
  /** The source of the request to cancel the call; absent while there is no such request. */
  readonly cancelledBy?: string
  /** The latest partial result. A call that has succeeded has none. */
  readonly partial?: PartialToolResult
  readonly progress?: ToolProgress
  readonly logs: CallLogs
}

/** An attempt that was followed by another one. */
export interface FailedAttempt {
  readonly attempt: number
  /** The sentence of the failure. */
  readonly message: string
}

/** What the page answered in place of the tool. */
interface StagedResult {
  readonly result: ToolResult
  readonly isError: boolean
}

export const noLogs: CallLogs = { lines: [], dropped: 0 }

/** What a call was before a person had it run once more. */
interface CallRetry {
  /** The call as it ended each time before, oldest first. */
  readonly earlier: readonly EndedToolCall[]
  /** How often the call had been dispatched before, on any branch: new attempts count on from there. */
  readonly attempts: number
  /** The number of the event that asked for the retry. */
  readonly seq: number
  /** Arguments that replace those of the model, in the retry. */
  readonly args?: JsonObject
}

/** The last lines of a log, and how many came before them. */
export function lastLines({ lines, dropped }: CallLogs, most: number): CallLogs {
  const from = Math.max(0, lines.length - most)
  return { lines: lines.slice(from), dropped: dropped + from }
}

const tailLines = 20
/** Characters, as JSON. */
const tailLength = 4000

/** The part of a log that the end of a call keeps; `undefined` if the log is empty. */
export function tailOf(logs: CallLogs): CallLogs | undefined {
  let tail = lastLines(logs, tailLines)
  while (JSON.stringify(tail.lines).length > tailLength)
    tail = lastLines(tail, tail.lines.length - 1)
  return tail.dropped + tail.lines.length > 0 ? tail : undefined
}

/** The stage of a call. Every stage is reached by one event; `ended` is final. */
export type CallStage =
  | { readonly kind: 'streaming' }
  | (Accepted & { readonly kind: 'accepted' })
  /** A person has to allow it, with exactly these arguments. */
  | (Accepted & Asked & { readonly kind: 'awaiting_approval' })
  | (Accepted & Asked & { readonly kind: 'approved' })
  /** Allowed with other arguments, which still have to be checked against the schema. */
  | (Accepted & Asked & { readonly kind: 'edited' })
  | (Accepted & { readonly kind: 'denied'; readonly reason: string | undefined })
  | (Accepted & ToolPreparation & Prepared & { readonly kind: 'prepared' })
  | (Dispatched & { readonly kind: 'dispatched' })
  | (Dispatched & { readonly kind: 'running'; readonly runningAt: number })
  | (Accepted & Partial<Dispatched> & CallEnd & { readonly kind: 'ended' })

interface Accepted {
  readonly args: Json
  readonly index: number
  readonly place: Place
  /** Epoch milliseconds, as are all times here: labels for people. */
  readonly acceptedAt: number
}

interface Asked {
  readonly approvalArgs: JsonObject
  /** Names the call and these arguments: an approval with another digest does not count. */
  readonly argsDigest: string
}

interface Prepared {
  readonly retryDelayMs: number
  /** The page ended while the code of the call ran; the next attempt is for a later run. */
  readonly wasInterrupted?: true
}

interface Dispatched extends Accepted {
  readonly effectiveArgs: JsonObject
  readonly executionId: string
  readonly dispatchedAt: number
}

/** How a call ended. */
interface CallEnd {
  readonly outcome: ToolOutcome
  readonly result: ToolResult
  readonly isError: boolean
  readonly errorKind?: ToolErrorKind
  /** Whether the tool's code may have had effects. `false` is certain, `true` is not. */
  readonly mayHaveRun: boolean
  readonly timing: ToolTiming
  readonly how?: 'cooperative' | 'terminated'
  readonly truncatedForModel: boolean
  readonly endedAt: number
  /** The model's arguments fit the tool. */
  readonly hasValidArgs: boolean
}

/** A call that has reached its end. */
export type EndedToolCall = ToolCall & { readonly stage: Extract<CallStage, { kind: 'ended' }> }

export function hasEnded(call: ToolCall): call is EndedToolCall {
  return call.stage.kind === 'ended'
}

/** Whether the model's arguments are known to fit the tool: they were checked. */
export function hasValidArgs({ stage }: ToolCall): boolean {
  if (stage.kind === 'ended') return stage.hasValidArgs
  if (stage.kind === 'prepared') return !stage.isUnchecked
  return stage.kind !== 'streaming' && stage.kind !== 'accepted'
}

/** Whether nothing more can happen to the call, although a later run may still have to write its end. */
export function isOver(call: ToolCall): boolean {
  const isCancelled = call.cancelledBy !== undefined && !isDispatched(call)
  // A cancelled call that has not started may still be skipped with the others.
  return hasEnded(call) || (isCancelled && call.stage.kind !== 'streaming')
}

/** Whether the call's code may be running: it was dispatched and has not ended. */
export function isDispatched(call: ToolCall): boolean {
  return call.stage.kind === 'dispatched' || call.stage.kind === 'running'
}

/** Whether the call's code may have had effects, in this or in an earlier attempt. */
export function mayHaveRun(call: ToolCall): boolean {
  return call.attempt > 0
}

/** How often the call was dispatched since a person last had it run. */
export function triesOf({ attempt, retry }: ToolCall): number {
  return attempt - (retry?.attempts ?? 0)
}

/** The arguments that the call is to run with: what the model wrote, or what a person put in its place. */
export function argsOf({ argsText, retry, stage }: ToolCall): ArgsReading {
  if (retry?.args) return { ok: true, args: retry.args }
  // The arguments may have megabytes, so they are read once: when the call starts.
  const read = stage.kind === 'streaming' ? undefined : stage.args
  return isJsonObject(read) ? { ok: true, args: read } : readArgs(argsText)
}

/** Whether the end of a page has cut off the code of the call, which may be tried again. */
export function isInterrupted({ stage }: ToolCall): boolean {
  return stage.kind === 'prepared' && stage.wasInterrupted === true
}

/** Whether the call waits for a person or the page: for an approval, or for its result. */
export function isWaiting(call: ToolCall): boolean {
  return call.cancelledBy === undefined && (isWaitingForApproval(call) || isWaitingForClient(call))
}

export function isWaitingForApproval({ stage }: ToolCall): boolean {
  return stage.kind === 'awaiting_approval'
}

export function isWaitingForClient({ stage, staged }: ToolCall): boolean {
  return stage.kind === 'prepared' && stage.place === 'client' && !staged
}

/** Whether a person has said if the call may run. */
export function isResolved({ stage: { kind } }: ToolCall): boolean {
  return kind === 'approved' || kind === 'edited' || kind === 'denied'
}

/** Whether the call got what it waited for: its result from the page, or a person's word on whether it may run. */
export function isAnswered(call: ToolCall): boolean {
  return call.staged !== undefined || isResolved(call)
}

/** A call as the model wrote it, before anything was done about it. */
export function announcedCall(
  { toolCallId, toolName, argsText }: Omit<ToolCallContent, 'type'>,
  messageId: string,
): ToolCall {
  return {
    toolCallId,
    toolName,
    label: toolName,
    messageId,
    argsText,
    stage: { kind: 'streaming' },
    attempt: 0,
    repetitions: 0,
    logs: noLogs,
  }
}

/** A call that has ended, made ready for its next attempt. `retry`: what is new about it. */
export function retriedCall(
  call: EndedToolCall,
  { attempts, seq, args = call.retry?.args }: Omit<CallRetry, 'earlier'>,
): ToolCall {
  const { retry, ...ended } = call
  const earlier = [...(retry?.earlier ?? []), ended]
  return {
    ...announcedCall(call, call.messageId),
    label: call.label,
    attempt: attempts,
    retry: { earlier, attempts, seq, ...defined({ args }) },
  }
}

/** The call with only what the log stores of it. */
export function storedCall(call: ToolCall): ToolCall {
  if (hasEnded(call)) return call
  const { partial: _partial, progress: _progress, ...stored } = call
  return { ...stored, logs: noLogs }
}

/** The status a card shows. */
export function statusOfCall(call: ToolCall): ToolCallStatus {
  if (hasEnded(call)) return call.stage.outcome
  const { kind } = call.stage
  if (call.cancelledBy !== undefined && isDispatched(call)) return 'cancelling'
  if (isInterrupted(call)) return 'interrupted'
  if (call.cancelledBy !== undefined) return kind === 'denied' ? 'denied' : 'cancelled'
  if (kind === 'streaming') return call.retry ? 'queued' : 'input_streaming'
  if (kind === 'dispatched') return 'starting'
  return kind === 'awaiting_approval' || kind === 'running' ? kind : 'queued'
}
