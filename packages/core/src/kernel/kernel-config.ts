import type { Place, ToolExecution } from './events.ts'
import type { ModelIdentity } from './message.ts'

/** What the kernel knows of a tool. */
export interface ToolInfo {
  readonly label: string
  readonly place: Place
  /** A call of it runs alone: nothing before it goes on, nothing after it starts. */
  readonly sequential: boolean
  readonly retry: RetryPolicy | null
  /** Running it twice is as good as once, so a call that was cut off may be tried again. */
  readonly repeatable: boolean
}

/** How often something is tried, and how long the pauses are: random, below `baseMs`, doubled each time up to `capMs`. */
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

/** When equal calls are a loop, by the number of answers that made them: noted at the one, stopped at the other. */
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
  /** `manual`: the calls of an answer are answered from outside, nothing is run. */
  readonly toolMode: 'auto' | 'manual'
  /** Whether a run whose page is gone may wait for people: an agent inside a call goes with its call. */
  readonly mayPauseForPeople: boolean
  /** Whether a run waits for approvals, or ends and goes on when they are there. */
  readonly approvalMode: 'wait' | 'pause'
  readonly steeringMode: QueueMode
  readonly followUpMode: QueueMode
  /** The prompt of a run is checked from outside before it is written. */
  readonly checksPrompts: boolean
  /** What a call gave is looked at from outside before the model reads it. */
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
