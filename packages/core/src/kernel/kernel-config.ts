import type { Place, ToolExecution } from './events.ts'
import type { ModelIdentity } from './message.ts'

/** The properties of a tool that decisions depend on. */
export interface ToolInfo {
  readonly label: string
  readonly place: Place
  /** A call of it is a unit of its own: no other call of the answer runs at the same time. */
  readonly sequential: boolean
  readonly retry: RetryPolicy | null
  /** Running it twice does no harm, so a call that crashed or timed out may be tried again. */
  readonly repeatable: boolean
  /** A call of it that was cut off with its page may go on in a later run. */
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

/** When equal calls are a loop, by the number of answers that made them: a warning at `noteAt`, the end at `stopAt`. */
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
  /** By name. A map, because the names come from a model: `constructor` is not a tool. */
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
  /** Hooks check the prompt of a run before it is written. */
  readonly checksPrompts: boolean
  /** Hooks check the result of a call before the model reads it. */
  readonly checksResults: boolean
  readonly maxTurns: number | null
  /** Calls of one answer beyond this many are answered, not run. */
  readonly maxCallsPerTurn: number
  /** Characters of a result that the model reads. */
  readonly maxToolResultChars: number
  /** For requests to the model. `null`: a failure is the end of the run. */
  readonly retry: RetryPolicy | null
  /** Milliseconds a run may take. */
  readonly deadlineMs: number | null
  readonly budget: Budget
  readonly loop: LoopLimits | null
  readonly compaction: CompactionLimits | null
}
