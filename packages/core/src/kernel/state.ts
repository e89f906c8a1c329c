import type { RunEndReason } from './events.ts'
import type { AssistantMessage, Message, Part, StopReason, Usage } from './message.ts'
import type { RunError } from './run-error.ts'
import type { ToolCall } from './tool-call.ts'
import { hasEnded } from './tool-call.ts'
import type { ToolMessage } from './tool-result.ts'

/** Everything a log says. Made by `fold` alone. */
export interface State {
  readonly sessionId: string
  /** The opening of the log that is going on now; `null` before the first `session_opened`. */
  readonly bootId: string | null
  readonly nextSeq: number
  /** How many ephemeral events came since the last durable one. */
  readonly sub: number
  /** The last message of the current branch; the path to the root hangs on it. */
  readonly head: MessageNode | null
  /** A message that was begun and is not ended. An answer that is being written is in the run's step. */
  readonly openMessage: Exclude<Message, AssistantMessage> | null
  /** The calls that the answer at the head made, until all of their results are written. */
  readonly batch: Batch | null
  readonly run: Run | null
  /** How the last run ended. */
  readonly lastRun: EndedRun | null
}

/** A message and everything before it. Sharing the tail makes adding a message cost the same at any length. */
export interface MessageNode {
  readonly message: Message
  /** The calls of the message, once all of them ended. */
  readonly calls: readonly ToolCall[]
  /** Shown to people, not to the model: a failed or superseded answer. */
  readonly excluded: boolean
  /** How many messages come before it. */
  readonly depth: number
  readonly parent: MessageNode | null
}

/** The calls of one answer, in call order. */
export interface Batch {
  readonly messageId: string
  readonly stopReason: StopReason | undefined
  readonly calls: readonly ToolCall[]
  /** What the model will read of the calls, once `tools_end` has settled it. */
  readonly toolMessages: readonly ToolMessage[] | null
  /** How many result messages are written. */
  readonly delivered: number
}

export interface Run {
  readonly runId: string
  /** The opening of the log in which the run began. In a later one the run is lost. */
  readonly bootId: string | null
  readonly maxTurns: number | null
  /** User messages that are written when the next turn begins. */
  readonly pending: readonly (readonly Part[])[]
  readonly turns: number
  /** Turns since the last prompt: what `maxTurns` limits. */
  readonly countedTurns: number
  readonly usage: Usage
  readonly abort: AbortRequest | null
  readonly step: Step
}

interface AbortRequest {
  readonly by: string
  readonly reason?: string
}

/** Where a run stands. */
export type Step =
  | { readonly kind: 'between_turns'; readonly last: Answer | null }
  /** A turn is open; its user messages are being written. */
  | { readonly kind: 'collecting' }
  | { readonly kind: 'asking'; readonly message: AssistantMessage }
  /** The answer is committed; its calls, if any, are the batch. */
  | { readonly kind: 'answered'; readonly answer: Answer }

/** What the loop needs to know of an answer. */
export interface Answer {
  readonly messageId: string
  readonly stopReason: StopReason | undefined
  readonly toolCallIds: readonly string[]
  readonly usage: Usage
  readonly isEmpty: boolean
  readonly terminate: boolean
  readonly error?: RunError
}

interface EndedRun {
  readonly runId: string
  readonly reason: RunEndReason
  readonly turns: number
  readonly usage: Usage
  readonly error?: RunError
}

/** What an agent is doing: `ready` for a prompt, or in one of the steps of a run; `error` after a run that failed. */
export type RunStatus =
  | 'ready'
  | 'submitted'
  | 'streaming'
  | 'running_tools'
  | 'awaiting_approval'
  | 'awaiting_tool_results'
  | 'retrying'
  | 'compacting'
  | 'stopping'
  | 'error'

/** The state of a log without events. */
export function emptyState(sessionId: string): State {
  return {
    sessionId,
    bootId: null,
    nextSeq: 0,
    sub: 0,
    head: null,
    openMessage: null,
    batch: null,
    run: null,
    lastRun: null,
  }
}

/** Whether the run began in an earlier opening of the log: nothing of it is going on any more. */
export function isLost(state: State, run: Run): boolean {
  return run.bootId !== state.bootId
}

/** The call of the open batch with this id. */
export function openCall(state: State, toolCallId: string): ToolCall | undefined {
  return state.batch?.calls.find((call) => call.toolCallId === toolCallId)
}

/** What the agent is doing, in one word. */
export function statusOf(state: State): RunStatus {
  const { run, lastRun } = state
  if (!run) return restingStatus(lastRun)
  if (run.abort) return 'stopping'
  if (run.step.kind === 'asking' && run.step.message.content.length > 0) return 'streaming'
  if (run.step.kind === 'answered' && state.batch?.calls.some((call) => !hasEnded(call))) {
    return 'running_tools'
  }
  return 'submitted'
}

function restingStatus(lastRun: EndedRun | null): RunStatus {
  switch (lastRun?.reason) {
    case 'error':
      return 'error'
    case 'awaiting_approval':
    case 'awaiting_tool_results':
      return lastRun.reason
    default:
      return 'ready'
  }
}
