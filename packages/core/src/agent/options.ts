import type { Environment } from '../internal/environment.ts'
import type { ToolExecution } from '../kernel/events.ts'
import type { Budget, LoopLimits, QueueMode } from '../kernel/kernel-config.ts'
import type { Model } from '../model/port.ts'
import type { Summarize } from '../runtime/compact.ts'
import type { AgentHooks } from '../runtime/hooks.ts'
import type { SessionStorage } from '../storage/port.ts'
import type { PublishSchedule } from '../store/publish.ts'
import type { ToolHost } from '../tools/host.ts'
import type { ToolsOf } from '../tools/tool-types.ts'

/** Where tools run: one place, or several. */
export type ToolHosts = ToolHost | readonly ToolHost[]

/** What an agent is made of. Only `model` is required. */
export interface AgentOptions<Hosts extends ToolHosts = ToolHosts> {
  readonly model: Model
  /** What the model should know before the conversation. */
  readonly system?: string
  /** The hosts of its tools, made by `inWorkers`, `inPage`, `inClient` or `agentTool`: one, or several. */
  readonly tools?: Hosts
  /**
   * Anything of the application that the code of tools needs: it finds it in its `context.context`. On the page it is
   * this very value; in a worker and in the isolated place a structured clone, made for each call, so a value that
   * cannot be cloned fails the calls there. It is never stored, and no model reads it. Code in the isolated place
   * was written by others: give it nothing that they may not see.
   */
  readonly context?: unknown
  /** Turns (requests to the model) for one prompt. Default 5; `null` is no limit. */
  readonly maxTurns?: number | null

  /**
   * How the calls of one answer run: all at once (default), one by one, or in groups of `size`. Between them steering
   * is read: if there is any, the calls that have not started are skipped.
   */
  readonly toolExecution?: ToolExecution
  /**
   * `'manual'`: no call is run. Answer those that no hook blocks with `addToolResult`, then `continue()`. Default
   * `'auto'`.
   */
  readonly toolMode?: 'auto' | 'manual'
  /**
   * `'pause'`: a run ends when only approvals are missing, and goes on by itself when they are there. Default `'wait'`.
   */
  readonly approvalMode?: 'wait' | 'pause'
  /** `false`: no ephemeral event is sent between the start and the end of a call. Default `true`. */
  readonly toolEvents?: boolean
  /**
   * Milliseconds between two reports of the same thing by a call: of partial results, and of the numbers of one
   * progress, only the latest is an event. With 0 each report is an event. Status words and a tool's own events always
   * are. A tool may have its own. Default 50.
   */
  readonly updateIntervalMs?: number
  /** How many steering messages are delivered at once. Default `'one-at-a-time'`. */
  readonly steeringMode?: QueueMode
  /** How many follow-ups are delivered at once. Default `'one-at-a-time'`. */
  readonly followUpMode?: QueueMode

  /** Functions of yours that take part in a run. Several run in order. */
  readonly hooks?: AgentHooks<ToolsOf<Hosts>> | readonly AgentHooks<ToolsOf<Hosts>>[]
  /** Milliseconds a hook, a validator or `needsApproval` may take. Default 10,000. */
  readonly hookTimeoutMs?: number
  /**
   * How failed requests are tried again. Default: 4 attempts, pauses below 1 s, doubled up to 30 s. `null`: they are
   * not.
   */
  readonly retry?: RetryOptions | null
  /** Milliseconds that the model's stream may be silent. Default 60,000; `null` is for ever. */
  readonly streamIdleMs?: number | null
  /** Milliseconds a run may take before it is stopped. Default: no limit. */
  readonly deadlineMs?: number | null
  /** What a run may use. Once it has used that, it ends as `budget` before the next request. */
  readonly budget?: Budget | null
  /**
   * When the same call with the same arguments counts as a loop. Default: noted at 3, stopped at 6; `null` is never.
   */
  readonly loopDetection?: LoopLimits | null
  /** How a long history is made shorter for the model. Default: not at all. */
  readonly compaction?: CompactionOptions | null

  /** Where the session is kept. Default: nowhere, it ends with the page. */
  readonly storage?: SessionStorage
  /** The id of the session in the storage. Default: a new one. */
  readonly sessionId?: string
  /**
   * What becomes of a run that was cut off with its page. `'ask'` (default): it has ended as `interrupted`, and `continue()`
   * goes on. `'auto'`: the agent that owns the session goes on by itself when it has opened it. Even so, it waits for
   * `continue()` after an opening that broke the page, and for a run that was continued before and came no further.
   */
  readonly resume?: 'ask' | 'auto'

  /** Calls that run at once. Default: the number of cores, at least 8. */
  readonly maxConcurrency?: number
  /** Calls of one answer that run; the rest is answered without running. Default 64. */
  readonly maxCallsPerTurn?: number
  /** Milliseconds a stopped tool has to end by itself before it is cut off. Default 250. */
  readonly abortGraceMs?: number
  /** Characters of a tool's result that the model reads. Default 10,000. */
  readonly maxToolResultChars?: number
  /** Bytes of files that the session keeps of its tools' results; a call that returns more fails. Default 512 MB. */
  readonly maxArtifactBytes?: number
}

/** How a failed request is tried again. */
export interface RetryOptions {
  /** How many attempts there may be, the first included. Default 4. */
  readonly maxAttempts?: number
  /** The first pause is a random time below this, in milliseconds. Each further one doubles it. Default 1,000. */
  readonly baseMs?: number
  /** No pause is longer than this, unless the server asks for it. Default 30,000. */
  readonly capMs?: number
}

/** When and how the beginning of the history is replaced by a summary. Tokens are estimated: four characters each. */
export interface CompactionOptions {
  /** Tokens of the history above which it is summarised before the next request. */
  readonly thresholdTokens: number
  /** Tokens at the end of the history that are not summarised. Default: half of the threshold. */
  readonly keepTokens?: number
  /** Writes the summary, for instance with a model. Gets the messages it stands for, the last summary among them. */
  readonly summarize: Summarize
}

/** The options that may be changed between runs: all but those of the session. */
export type AgentChanges<Hosts extends ToolHosts = ToolHosts> = Partial<
  Omit<AgentOptions<Hosts>, 'storage' | 'sessionId'>
>

/** What makes an agent repeatable in a test: its time, its ids, its chance, its frames. */
export interface AgentEnvironment extends Environment {
  readonly schedule: PublishSchedule
}
