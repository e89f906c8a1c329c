import type { Json, JsonObject } from '../internal/json.ts'
import type { Part } from './message.ts'

/** What the checks of a call gave. */
export interface ToolPreparation {
  /** The arguments as the hooks left them. */
  readonly effectiveArgs: JsonObject
  /** In manual mode: the arguments do not fit, so no hook has seen the call. */
  readonly isUnchecked?: true
}

/** How a call ended: the terminal status of its card. */
export type ToolOutcome =
  | 'succeeded'
  | 'failed'
  | 'denied'
  | 'skipped'
  | 'cancelled'
  | 'timed_out'
  | 'interrupted'

/** Why a call did not succeed, to branch on. */
export type ToolErrorKind =
  | 'failed'
  | 'not_found'
  | 'invalid_args'
  | 'cancelled'
  | 'timeout'
  | 'denied'
  | 'skipped'
  | 'crashed'
  | 'truncated_call'
  | 'limit'
  | 'invalid_result'
  | 'interrupted'

/** Bytes a tool returned. The log holds this label; the bytes are in the artifact store. */
export interface Artifact {
  readonly artifactId: string
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
  /**
   * The artifact holds, in full, a part of the result that was cut to size. The tool did not return it as an artifact.
   */
  readonly isFullResult?: true
}

/** What a tool returned. Only `content` is for the model, and only after truncation. */
export interface ToolResult {
  readonly content: readonly Part[]
  /** For the page: never sent to the model. */
  readonly details?: Json
  /** The typed output of a tool with an `outputSchema`: never sent to the model. */
  readonly structuredContent?: Json
  readonly artifacts?: readonly Artifact[]
  /** Ends the run after this batch, if every call of the batch says so. */
  readonly terminate?: boolean
  /** `redact` removed for good what the tool returned, and the arguments of the call with it. */
  readonly redacted?: true
}

/** The result of a tool so far. For people: never sent to the model. */
export interface PartialToolResult {
  readonly content: readonly Part[]
  readonly details?: Json
}

/** The progress of a tool: `value` of `total` in `unit`. Without `total` the end is not known. */
export interface ToolProgress {
  readonly message?: string
  readonly status?: string
  readonly value?: number
  readonly total?: number
  readonly unit?: string
}

/** How serious a line is that a tool logged. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** One line that a tool logged. */
export interface LogLine {
  readonly level: LogLevel
  readonly text: string
  /** Milliseconds since the tool's code started. */
  readonly t: number
}

/** The last lines that a tool wrote, and how many others were dropped: older ones, and those left out of a flood. */
export interface CallLogs {
  readonly lines: readonly LogLine[]
  readonly dropped: number
}

/** Durations of one call in milliseconds: waiting for a slot, starting its code, and running it. */
export interface ToolTiming {
  readonly queuedMs: number
  readonly startMs: number
  readonly runMs: number
}

/** How a call ended, without its result: for statistics. */
export interface ExecutionResult {
  readonly toolCallId: string
  readonly toolName: string
  readonly outcome: ToolOutcome
  readonly isError: boolean
  readonly errorKind?: ToolErrorKind
  readonly timing: ToolTiming
}

/** What the model reads about a call. */
export interface ToolMessage {
  readonly toolCallId: string
  readonly toolName: string
  readonly content: readonly Part[]
  readonly isError: boolean
}
