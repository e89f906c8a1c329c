import type { QueuedInput, RunTrigger, ToolExecution } from './events.ts'
import type { AssistantMessage, Message, StopReason, Usage } from './message.ts'
import type { OutputRequest, OutputVerdict } from './output-request.ts'
import type { RunEndReason } from './run-end-reason.ts'
import type { RunError } from './run-error.ts'
import type { ToolCall } from './tool-call.ts'
import type { ToolMessage } from './tool-outcome.ts'

/** The fold of a log. Only `fold` makes it. */
export interface State {
  readonly sessionId: string
  /** The current opening of the log; `null` before the first `session_opened`. */
  readonly bootId: string | null
  readonly nextSeq: number
  /** Ephemeral events since the last durable one. */
  readonly sub: number
  /** The last message of the current branch, linked to all messages before it. */
  readonly head: MessageNode | null
  /** The ends of other branches. */
  readonly tips: readonly MessageNode[]
  /** A message between its start and its end. An answer that is streaming is in the run's step instead. */
  readonly openMessage: Exclude<Message, AssistantMessage> | null
  /** The calls that the answer at the head made, until all of their results are written. */
  readonly batch: Batch | null
  readonly queues: Queues
  /** Every summary so far, oldest first: each counts on the branches that hold its first kept message. */
  readonly summaries: readonly Summary[]
  /** The summary that counts on the current branch. */
  readonly summary: Summary | null
  readonly run: Run | null
  /** How the last run ended. */
  readonly lastRun: EndedRun | null
  /** The output that the last run was asked for; `null` if it was asked for none. */
  readonly lastOutput: LastOutput | null
  /** The agents that run inside calls, by id, until their runs end. */
  readonly agents: ReadonlyMap<string, SubAgent>
}

interface LastOutput {
  readonly request: OutputRequest
  /** The run ended without an answer that fits. */
  readonly isMissing: boolean
}

/** An agent that runs inside a call of another one: its events are in the same log. */
export interface SubAgent {
  readonly parentToolCallId: string
  readonly state: State
}

/** Users' messages that are not delivered yet, oldest first. */
export interface Queues {
  /** Messages for the next turn. Delivered between two units, they skip the calls that have not started. */
  readonly steering: readonly QueuedInput[]
  /** Messages for the moment when the run would end. */
  readonly followUp: readonly QueuedInput[]
}

/** A text that replaces the messages before `firstKeptMessageId` in requests. */
export interface Summary {
  readonly text: string
  readonly firstKeptMessageId: string
  /** Characters of the messages that it replaces. */
  readonly coveredChars: number
}

/** A message and all before it. The tail is shared, so adding a message costs the same at any length. */
export interface MessageNode {
  readonly message: Message
  /** The calls of the message, once all of them ended. */
  readonly calls: readonly ToolCall[]
  /** Shown to people, not to the model: a failed or superseded answer. */
  readonly excluded: boolean
  /** How many messages come before it. */
  readonly depth: number
  /**
   * The number of the event that wrote the message, or that retried one of its calls on a branch of its own. Of two
   * nodes in one place the older has the smaller number.
   */
  readonly seq: number
  /** Characters that the model reads, up to and with this message. The length in tokens is estimated from it. */
  readonly chars: number
  readonly parent: MessageNode | null
}

/** The calls of one answer, in call order. */
export interface Batch {
  readonly messageId: string
  readonly stopReason: StopReason | undefined
  /** How the calls are divided into units. */
  readonly toolExecution: ToolExecution
  readonly calls: readonly ToolCall[]
  /** What the model reads of the calls; `null` before `tools_end`. */
  readonly toolMessages: readonly ToolMessage[] | null
  /** How many result messages are written. */
  readonly delivered: number
}

export interface Run {
  readonly runId: string
  readonly trigger: RunTrigger
  /** The opening of the log in which the run started. In a later one the run is lost. */
  readonly bootId: string | null
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly maxTurns: number | null
  readonly toolExecution: ToolExecution
  /** The prompt, until it is written. */
  readonly pending: readonly QueuedInput[]
  /** Why the prompt was refused, once it was. */
  readonly rejected: string | null
  readonly turns: number
  /** Turns since the last prompt or follow-up: what `maxTurns` limits. */
  readonly countedTurns: number
  readonly usage: Usage
  /** The usage of the open or last turn, with its failed attempts. */
  readonly turnUsage: Usage
  /** An answer of the run came without its cost. */
  readonly hasUnknownCost: boolean
  readonly abort: AbortRequest | null
  /** The attempts of the open turn, once one had to be repeated. */
  readonly retry: ModelRetry | null
  /** The number of the open turn's request, from 1: every retry adds one. */
  readonly attempt: number
  /** The turn in which a summary was last tried. */
  readonly compactedInTurn: number
  /** How often each of the latest different calls was made. */
  readonly repeats: readonly Repeat[]
  /** A call was repeated too often. */
  readonly isLooping: boolean
  /** The output that the run was asked to end with; `null` if it was asked for none. */
  readonly output: OutputRequest | null
  /** How often the model was asked to repair its answer. */
  readonly repairs: number
  /** The answer that was last checked against the schema of the output. */
  readonly checked: CheckedAnswer | null
  readonly step: Step
}

interface CheckedAnswer extends OutputVerdict {
  readonly messageId: string
}

interface AbortRequest {
  readonly by: string
  readonly reason?: string
}

interface ModelRetry {
  /** How many failed attempts people have seen a part of. */
  readonly seen: number
  /** The next attempt; `null` if there is none in this turn. */
  readonly pending: PendingRetry | null
}

/** The next attempt of a request that failed, until it is answered or fails for good. */
export interface PendingRetry {
  /** The number of the attempt; the failed request was the first, so it is 2 or more. */
  readonly attempt: number
  /** The highest that `attempt` may become. */
  readonly maxAttempts: number
  /** When the attempt is sent, in epoch milliseconds. */
  readonly at: number
}

/** A call and how often it was made. */
export interface Repeat {
  readonly toolName: string
  readonly argsText: string
  readonly count: number
}

/** The step that a run is in. */
export type Step =
  /** `last`: the answer of the turn before, or the one with open calls in a run that resumes them. */
  | { readonly kind: 'between_turns'; readonly last: Answer | null }
  /** A turn is open; its user messages are being written. */
  | { readonly kind: 'collecting' }
  | { readonly kind: 'compacting' }
  | { readonly kind: 'asking'; readonly message: AssistantMessage }
  /** An attempt failed, and the next one has to wait. */
  | { readonly kind: 'retrying'; readonly delayMs: number }
  /** The answer is committed; its calls, if any, are the batch. */
  | { readonly kind: 'answered'; readonly answer: Answer }

/** The properties of an answer that decisions depend on. */
export interface Answer {
  readonly messageId: string
  readonly stopReason: StopReason | undefined
  readonly toolCallIds: readonly string[]
  readonly usage: Usage
  readonly isEmpty: boolean
  /** A part of it was streamed before it failed. */
  readonly wasSeen: boolean
  readonly terminate: boolean
  readonly error?: RunError
}

/** How a run ended. */
export interface RunEnd {
  readonly runId: string
  readonly reason: RunEndReason
  readonly turns: number
  readonly usage: Usage
  readonly durationMs: number
  /** Why it failed, was refused or ran out of time. */
  readonly error?: RunError
}

/** A run that ended, and those before it. Sharing the tail makes adding a run cost the same at any length. */
export interface EndedRun extends RunEnd {
  /** The last message that people read when it ended; `null` for an empty conversation. */
  readonly messageId: string | null
  readonly previous: EndedRun | null
}

/** The state of a log without events. */
export function emptyState(sessionId: string): State {
  return {
    sessionId,
    bootId: null,
    nextSeq: 0,
    sub: 0,
    head: null,
    tips: [],
    openMessage: null,
    batch: null,
    queues: { steering: [], followUp: [] },
    summaries: [],
    summary: null,
    run: null,
    lastRun: null,
    lastOutput: null,
    agents: new Map(),
  }
}

/** Whether the run started in an earlier opening of the log, so that nothing of it is running any more. */
export function isLost(state: State, run: Run): boolean {
  return run.bootId !== state.bootId
}

/** The call of the open batch with this id. */
export function openCall(state: State, toolCallId: string): ToolCall | undefined {
  return state.batch?.calls.find((call) => call.toolCallId === toolCallId)
}

/** The batch with one call changed; the same batch if that changes nothing, or if the call is not in it. */
export function withCall(
  batch: Batch,
  toolCallId: string | undefined,
  change: (call: ToolCall) => ToolCall,
): Batch {
  const index = batch.calls.findIndex((one) => one.toolCallId === toolCallId)
  const call = batch.calls[index]
  const changed = call && change(call)
  if (!changed || changed === call) return batch
  return { ...batch, calls: batch.calls.with(index, changed) }
}

/** The answer of the last turn; `null` while a turn is open that has none yet. */
export function lastAnswerOf({ step }: Run): Answer | null {
  if (step.kind === 'answered') return step.answer
  return step.kind === 'between_turns' ? step.last : null
}

/** The answer that is being written. */
export function openAnswerIn({ run }: State): AssistantMessage | null {
  return run?.step.kind === 'asking' ? run.step.message : null
}
