import type { QueuedInput, RunEndReason, RunTrigger, ToolExecution } from './events.ts'
import type { AssistantMessage, Message, StopReason, Usage } from './message.ts'
import type { RunError } from './run-error.ts'
import type { CompactionReason } from './summary.ts'
import type { ToolCall } from './tool-call.ts'
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
  /** The ends of other branches. */
  readonly tips: readonly MessageNode[]
  /** A message that was begun and is not ended. An answer that is being written is in the run's step. */
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
  /** The agents that run inside calls, by id, until their runs end. */
  readonly agents: ReadonlyMap<string, SubAgent>
}

/** An agent that runs inside a call of another one: its events are in the same log. */
export interface SubAgent {
  readonly parentToolCallId: string
  readonly state: State
}

/** What users said that is not delivered yet, oldest first. */
export interface Queues {
  /** For the next checkpoint. */
  readonly steering: readonly QueuedInput[]
  /** For when the run would end. */
  readonly followUp: readonly QueuedInput[]
}

/** A text in place of the messages before one. */
export interface Summary {
  readonly text: string
  readonly firstKeptMessageId: string
  /** Characters of what it stands for. */
  readonly coveredChars: number
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
  /** Characters the model reads of it and of everything before it: what its length is estimated by. */
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
  /** What the model will read of the calls, once `tools_end` has settled it. */
  readonly toolMessages: readonly ToolMessage[] | null
  /** How many result messages are written. */
  readonly delivered: number
}

export interface Run {
  readonly runId: string
  readonly trigger: RunTrigger
  /** The opening of the log in which the run began. In a later one the run is lost. */
  readonly bootId: string | null
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
  /** Of the turn that is open or was the last, with its failed attempts. */
  readonly turnUsage: Usage
  /** Some answer did not say what it cost. */
  readonly hasUnknownCost: boolean
  readonly abort: AbortRequest | null
  /** The attempts of the open turn, once one had to be repeated. */
  readonly retry: ModelRetry | null
  /** The request of the open turn, counted: with every retry it is another one. */
  readonly attempt: number
  /** The turn in which the history was last summarised, or was to be. */
  readonly compactedInTurn: number
  /** How often the last different calls were made. */
  readonly repeats: readonly Repeat[]
  /** A call was repeated too often. */
  readonly isLooping: boolean
  readonly step: Step
}

interface AbortRequest {
  readonly by: string
  readonly reason?: string
}

interface ModelRetry {
  /** Failed attempts that people had seen something of. */
  readonly seen: number
  /** There is no further attempt in this turn. */
  readonly isOver: boolean
}

/** A call and how often it was made. */
export interface Repeat {
  readonly toolName: string
  readonly argsText: string
  readonly count: number
}

/** Where a run stands. */
export type Step =
  /** `last` is what the next step depends on: the answer before, or in a run that goes on the one with open calls. */
  | { readonly kind: 'between_turns'; readonly last: Answer | null }
  /** A turn is open; its user messages are being written. */
  | { readonly kind: 'collecting' }
  | { readonly kind: 'compacting'; readonly reason: CompactionReason }
  | { readonly kind: 'asking'; readonly message: AssistantMessage }
  /** An attempt failed, and the next one has to wait. */
  | { readonly kind: 'retrying'; readonly delayMs: number }
  /** The answer is committed; its calls, if any, are the batch. */
  | { readonly kind: 'answered'; readonly answer: Answer }

/** What the loop needs to know of an answer. */
export interface Answer {
  readonly messageId: string
  readonly stopReason: StopReason | undefined
  readonly toolCallIds: readonly string[]
  readonly usage: Usage
  readonly isEmpty: boolean
  /** Something of it was streamed before it failed. */
  readonly wasSeen: boolean
  readonly terminate: boolean
  readonly error?: RunError
}

export interface EndedRun {
  readonly runId: string
  readonly reason: RunEndReason
  readonly turns: number
  readonly usage: Usage
  readonly error?: RunError
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
    agents: new Map(),
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

/** The answer whose calls are open or the run stands after. */
export function lastAnswerOf({ step }: Run): Answer | null {
  if (step.kind === 'answered') return step.answer
  return step.kind === 'between_turns' ? step.last : null
}
