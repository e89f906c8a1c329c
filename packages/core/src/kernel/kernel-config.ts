import type { Place, ToolExecution } from './events.ts'
import type { ModelIdentity } from './message.ts'

/** The properties of a tool that decisions depend on. */
export interface ToolInfo {
  readonly label: string
  readonly place: Place
  /** A call of this tool is a unit of its own: no other call of the answer runs at the same time. */
  readonly sequential: boolean
  readonly retry: RetryPolicy | null
  /** Running a call twice does no harm, so one that crashed or timed out may be tried again. */
  readonly repeatable: boolean
  /** A call of this tool that was cut off with its page may go on in a later run. */
  readonly resumable: boolean
}

/** How often to try, and how long to wait: a random time below `baseMs`, which doubles each time up to `capMs`. */
export interface RetryPolicy {
  readonly maxAttempts: number
  readonly baseMs: number
  readonly capMs: number
}

/** How many of a queue's messages are delivered at once. */
export type QueueMode = 'one-at-a-time' | 'all'

/** What one run may use, in tokens and in US dollars. */
export interface Budget {
  readonly maxTokens?: number
  readonly maxCost?: number
}

/**
 * When equal calls are a loop, counted in answers that made them: `noteAt` answers bring a warning, `stopAt` the end.
 */
export interface LoopLimits {
  readonly noteAt: number
  readonly stopAt: number
}

/** When the history is summarised, and how much of its end stays as it is. Tokens are estimates. */
export interface CompactionLimits {
  readonly thresholdTokens: number
  readonly keepTokens: number
}

/** The settings that decisions depend on. Plain data: user functions are effects. */
export interface KernelConfig {
  /** The tools by name. A map, because the names come from a model: `constructor` is not a tool. */
  readonly tools: ReadonlyMap<string, ToolInfo>
  readonly model: ModelIdentity
  readonly toolExecution: ToolExecution
  /** `manual`: no call is run; the page answers every call that is neither invalid nor blocked. */
  readonly toolMode: 'auto' | 'manual'
  /** Whether a run may pause and wait for people after its page is gone. `false` for an agent inside a call. */
  readonly mayPauseForPeople: boolean
  /** Whether a run waits for approvals, or ends and is resumed when they have come. */
  readonly approvalMode: 'wait' | 'pause'
  readonly steeringMode: QueueMode
  readonly followUpMode: QueueMode
  /** Whether hooks check the prompt of a run before it is written. */
  readonly checksPrompts: boolean
  /** Whether hooks check the result of a call before the model reads it. */
  readonly checksResults: boolean
  readonly maxTurns: number | null
  /** The most calls of one answer that run; the others are answered without running. */
  readonly maxCallsPerTurn: number
  /** The model reads at most this many characters of a result. */
  readonly maxToolResultChars: number
  /** How failed requests to the model are retried. `null`: a failure ends the run. */
  readonly retry: RetryPolicy | null
  /** Milliseconds a run may take. */
  readonly deadlineMs: number | null
  readonly budget: Budget
  readonly loop: LoopLimits | null
  readonly compaction: CompactionLimits | null
}
