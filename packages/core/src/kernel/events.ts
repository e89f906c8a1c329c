import type { Json, JsonObject } from '../internal/json.ts'
import type { Message, ModelIdentity, Part, StopReason, Usage } from './message.ts'
import type { OutputRequest, OutputVerdict } from './output-request.ts'
import type { RedactionFact } from './redaction-fact.ts'
import type { RunEndReason } from './run-end-reason.ts'
import type { RunError } from './run-error.ts'
import type { CompactionReason, CompactionResult } from './summary.ts'
import type {
  CallLogs,
  ExecutionResult,
  LogLine,
  PartialToolResult,
  ToolErrorKind,
  ToolMessage,
  ToolOutcome,
  ToolPreparation,
  ToolProgress,
  ToolResult,
  ToolTiming,
} from './tool-outcome.ts'

/** How the calls of one answer are run. */
export type ToolExecution =
  | 'parallel'
  | 'sequential'
  | { readonly type: 'batched'; readonly size: number }

/** Where a tool runs. */
export type Place = 'worker' | 'page' | 'client' | 'isolated'

/** What started a run. The agent itself starts a `resume`, when the last missing answer to a call has come. */
export type RunTrigger = 'prompt' | 'continue' | 'regenerate' | 'resume'

/** One step of an answer that is being written. Deltas concatenate to the final content. */
export type AssistantMessageEvent =
  | { readonly type: 'text_start'; readonly contentIndex: number }
  | { readonly type: 'text_delta'; readonly contentIndex: number; readonly delta: string }
  | { readonly type: 'text_end'; readonly contentIndex: number }
  | { readonly type: 'thinking_start'; readonly contentIndex: number; readonly redacted?: string }
  | { readonly type: 'thinking_delta'; readonly contentIndex: number; readonly delta: string }
  | { readonly type: 'thinking_end'; readonly contentIndex: number; readonly signature?: string }
  | {
      readonly type: 'toolcall_start'
      readonly contentIndex: number
      readonly toolCallId: string
      readonly toolName: string
      readonly providerId?: string
    }
  | { readonly type: 'toolcall_delta'; readonly contentIndex: number; readonly delta: string }
  | { readonly type: 'toolcall_end'; readonly contentIndex: number }
  | { readonly type: 'opaque_start'; readonly contentIndex: number; readonly data: JsonObject }
  /** `data` is set if the block has changed since its start. */
  | { readonly type: 'opaque_end'; readonly contentIndex: number; readonly data?: JsonObject }

/** A user's message that waits in a queue. */
export type QueuedInput = readonly Part[]

interface OfCall {
  readonly toolCallId: string
}

interface OfNamedCall extends OfCall {
  readonly toolName: string
}

interface OfExecution extends OfCall {
  readonly attempt: number
  readonly executionId: string
}

interface OfCustom extends OfNamedCall {
  readonly type: 'tool_custom'
  readonly name: string
  readonly data: Json
}

/** Facts that alone rebuild the final state. Their `seq` is contiguous from 0. */
export type DurableFact =
  | { readonly type: 'session_opened'; readonly bootId: string }
  | {
      readonly type: 'agent_start'
      readonly trigger: RunTrigger
      readonly input?: readonly Part[]
      readonly model: ModelIdentity
      readonly toolExecution: ToolExecution
      readonly maxTurns: number | null
      readonly output?: OutputRequest
    }
  | {
      readonly type: 'agent_end'
      readonly reason: RunEndReason
      readonly maxTurnsReached: boolean
      readonly turns: number
      readonly usage: Usage
      readonly durationMs: number
      readonly error?: RunError
    }
  | { readonly type: 'turn_start' }
  | {
      readonly type: 'turn_end'
      readonly messageId?: string
      readonly toolCallIds: readonly string[]
      readonly usage: Usage
      readonly stopReason?: StopReason
    }
  | { readonly type: 'message_start'; readonly message: Message }
  | {
      readonly type: 'message_checkpoint'
      readonly messageId: string
      readonly content: Extract<Message, { role: 'assistant' }>['content']
    }
  | {
      readonly type: 'message_end'
      readonly message: Message
      readonly excluded?: boolean
      readonly error?: RunError
    }
  | (OfNamedCall & {
      readonly type: 'tool_execution_start'
      readonly label: string
      /** The parsed arguments, or the raw text where it is no JSON object. */
      readonly args: Json
      readonly index: number
      readonly batchSize: number
      readonly place: Place
    })
  | (OfCall & ToolPreparation & { readonly type: 'tool_prepared' })
  | (OfExecution & { readonly type: 'tool_dispatched' })
  | (OfCall & {
      readonly type: 'tool_result_staged'
      readonly result: ToolResult
      readonly isError: boolean
    })
  | (OfCall & { readonly type: 'tool_cancel_requested'; readonly by: string })
  | (OfCall & {
      readonly type: 'tool_retry_requested'
      readonly by: string
      /** Arguments that replace those of the call. */
      readonly args?: JsonObject
    })
  | (OfNamedCall & {
      readonly type: 'tool_execution_end'
      readonly attempt: number
      readonly result: ToolResult
      readonly isError: boolean
      readonly outcome: ToolOutcome
      readonly errorKind?: ToolErrorKind
      readonly mayHaveRun: boolean
      readonly timing: ToolTiming
      readonly how?: 'cooperative' | 'terminated'
      readonly truncatedForModel?: boolean
      /**
       * The last partial result of a call that did not succeed, for people. Absent if a hook has replaced or withheld
       * the result.
       */
      readonly partialResult?: PartialToolResult
      /** The last lines that the call logged, for people. Absent if a hook has replaced or withheld the result. */
      readonly logs?: CallLogs
    })
  | {
      readonly type: 'tools_end'
      readonly toolCallIds: readonly string[]
      readonly toolMessages: readonly ToolMessage[]
      readonly executionResults: readonly ExecutionResult[]
      readonly terminate: boolean
    }
  | (OfNamedCall & {
      readonly type: 'tool_approval_requested'
      readonly args: Json
      readonly argsDigest: string
    })
  | (OfCall & {
      readonly type: 'tool_approval_resolved'
      readonly decision: 'approve' | 'deny' | 'edit'
      readonly args?: Json
      readonly argsDigest: string
      readonly reason?: string
    })
  | { readonly type: 'abort_requested'; readonly by: string; readonly reason?: string }
  | {
      readonly type: 'queue_update'
      readonly steering: readonly QueuedInput[]
      readonly followUp: readonly QueuedInput[]
      /** A person took one message out of its queue. */
      readonly by?: 'user'
    }
  | {
      readonly type: 'auto_retry_start'
      readonly scope: 'model' | 'tool'
      readonly toolCallId?: string
      readonly attempt: number
      readonly maxAttempts: number
      readonly delayMs: number
      readonly error: RunError
    }
  | {
      readonly type: 'auto_retry_end'
      readonly scope: 'model' | 'tool'
      readonly toolCallId?: string
      readonly success: boolean
      readonly attempt: number
      readonly error?: RunError
    }
  | { readonly type: 'compaction_start'; readonly reason: CompactionReason }
  | {
      readonly type: 'compaction_end'
      readonly result?: CompactionResult
      readonly aborted: boolean
      readonly error?: RunError
    }
  | { readonly type: 'head_moved'; readonly messageId: string | null }
  | {
      readonly type: 'loop_detected'
      readonly toolName: string
      readonly repetitions: number
      readonly aborted: boolean
    }
  | { readonly type: 'input_rejected'; readonly reason: string }
  /** The answer that a run would end with was checked against the schema of its output. */
  | ({ readonly type: 'output_checked'; readonly messageId: string } & OutputVerdict)
  | { readonly type: 'warning'; readonly code: string; readonly message: string }
  | RedactionFact
  | (OfCustom & { readonly durable: true })

/** Facts that matter only while they happen. A storage may drop them. */
type EphemeralFact =
  | {
      readonly type: 'message_update'
      readonly messageId: string
      readonly assistantMessageEvent: AssistantMessageEvent
    }
  | (OfExecution & { readonly type: 'tool_running' })
  | (OfNamedCall & {
      readonly type: 'tool_execution_update'
      readonly partialResult: PartialToolResult
    })
  | (OfNamedCall & { readonly type: 'tool_progress' } & ToolProgress)
  | (OfCall & {
      readonly type: 'tool_log'
      readonly lines: readonly LogLine[]
      readonly dropped: number
    })
  | (OfCustom & { readonly durable?: never })

/** A fact that has not been written yet: it has no envelope. */
export type Fact = DurableFact | EphemeralFact

/** What every event carries. */
interface Envelope {
  readonly v: 1
  /** Durable events are numbered 0, 1, 2, …; an ephemeral one has the number of the durable one before it. */
  readonly seq: number
  /** Set on ephemeral events only: 1, 2, 3, … after their durable one. */
  readonly sub?: number
  /** Epoch milliseconds. Only a label for people: events are ordered by (`seq`, `sub`). */
  readonly ts: number
  readonly sessionId: string
  /** `null` outside a run. */
  readonly runId: string | null
  /** The turn that is open or was the last of the run, from 1; 0 before the first and outside a run. */
  readonly turn: number
  readonly agentId?: string
  readonly parentToolCallId?: string
  /** The id of the wish (a follower's command) that caused the event. */
  readonly wishId?: string
}

type Enveloped<F> = F extends Fact ? Envelope & F : never

/** Everything that can happen in a session, in the past tense. JSON only. */
export type AgentEvent = Enveloped<Fact>
/** An event that a storage must keep: together they rebuild the state. */
export type DurableEvent = Enveloped<DurableFact>
/** The event of one type: `EventOf<'agent_end'>`. */
export type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: Type }>

/** The types that a storage may drop, `tool_custom` aside. */
export const ephemeralTypes: ReadonlySet<string> = new Set([
  'message_update',
  'tool_running',
  'tool_execution_update',
  'tool_progress',
  'tool_log',
] satisfies EphemeralFact['type'][])

/** Whether a fact must be stored: durable facts alone rebuild the final state. */
export function isDurable<F extends Fact>(fact: F): fact is Extract<F, DurableFact> {
  if (fact.type === 'tool_custom') return fact.durable === true
  return !ephemeralTypes.has(fact.type)
}
