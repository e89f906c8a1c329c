import type { Json, JsonObject } from '../internal/json.ts'
import type { Ending } from '../kernel/ending.ts'
import type {
  LogLine,
  PartialToolResult,
  ToolProgress,
  ToolResult,
} from '../kernel/tool-outcome.ts'
import type { Resources, Tool } from './definition.ts'

/** One call, as it is handed to the code that runs it. */
export interface CallRequest {
  /** Names the attempt, so that messages of an earlier one are not taken for its own. */
  readonly executionId: string
  /** The id of the call, the same for all its attempts. */
  readonly toolCallId: string
  /** The name of the tool, which the host has. */
  readonly toolName: string
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** The attempt before was cut off with its page: the code is asked first what became of it. */
  readonly isCheck?: true
  /** The arguments as the model wrote them; the page has checked them by the tool's `inputSchema`. */
  readonly input: JsonObject
  /** What the tool's `resources` gave for this call. */
  readonly resources: Resources
  /** Milliseconds between two reports of the same thing: the option of the tool, else that of the agent. Default 50. */
  readonly updateIntervalMs?: number
  /** The `context` of the agent, if it has one. Never stored, and no model reads it. */
  readonly context?: unknown
}

/** What a call sends while it runs. */
export type CallNotice =
  /** The tool's own code starts now: its time limit counts from here. */
  | { readonly type: 'running' }
  /** A preliminary result; it replaces the one before. */
  | { readonly type: 'update'; readonly partial: PartialToolResult }
  /** A status, or how far the call is; it replaces the report before. */
  | { readonly type: 'progress'; readonly progress: ToolProgress }
  /**
   * Lines of its log. `dropped`: how many lines, reports and events were left out before them, because there were too
   * many.
   */
  | { readonly type: 'log'; readonly lines: readonly LogLine[]; readonly dropped: number }
  /** An event of the tool's own. `durable`: to be stored. */
  | {
      readonly type: 'custom'
      readonly name: string
      readonly data: Json
      readonly durable: boolean
    }

/** Receives what a call sends while it runs. It may not throw. */
export type CallListener = (notice: CallNotice) => void

/** Bytes as a tool returned them, before they have an id. */
export interface NewArtifact {
  /** A file name. */
  readonly name: string
  /** A MIME type. */
  readonly mediaType: string
  /** A buffer is not used by its tool any more. */
  readonly data: Blob | ArrayBuffer
  /** The bytes hold, in full, a part of the result that was cut to size. It is kept only if there is room. */
  readonly isFullResult?: true
}

/** What a tool's code returned, as plain data and cut to size. */
export interface ReturnedResult extends Omit<ToolResult, 'artifacts'> {
  /** Bytes that have no ids yet. */
  readonly artifacts?: readonly NewArtifact[]
}

/** How an execution ended. Each has exactly one. */
export type Settlement =
  | { readonly kind: 'returned'; readonly result: ReturnedResult }
  | Extract<Ending, { readonly kind: 'threw' | 'crashed' }>
  /** `terminated`: the code did not end within the grace period after its abort, and may run on for a moment. */
  | { readonly kind: 'stopped'; readonly how: 'cooperative' | 'terminated' }

/** A single use of a tool's code: made ready, run at most once, closed. */
export interface Execution {
  /**
   * Resolves when the code can run. Rejects with an `Error` whose message says why it cannot. Read again just before
   * the call runs, since code that was ready may break while it waits.
   */
  readonly ready: Promise<void>
  /** Runs the call. Resolves exactly once, whatever the code does; never rejects. */
  readonly run: (request: CallRequest, listener: CallListener) => Promise<Settlement>
  /** Asks the running code to stop; after the grace period it is cut off. A second call does nothing. */
  readonly stop: () => void
  /** Ends what is left of the execution. Safe at any time, also before `ready` and after the settlement. */
  readonly close: () => void
}

/** A place where some tools run. Made by `inWorkers`, `inIsolation`, `inPage`, `inClient` and `agentTool`. */
export interface ToolHost<T extends Tool = Tool> {
  /** The tools it can run. Each has the place of this host. */
  readonly tools: readonly T[]
  /**
   * Makes one execution of the tool. What prevents the call rejects `ready`. Throws only for misuse, as the host of
   * `agentTool` does outside an agent. `graceMs`: milliseconds between `stop` and the end by force.
   */
  readonly open: (tool: Tool, options: { readonly graceMs: number }) => Execution
  /**
   * Starts what runs the tools, to see whether it has their code, and ends it. Rejects with an `Error` that says which
   * tools have none.
   */
  readonly check: () => Promise<void>
  /** Ends what waits for calls. Called when an agent is disposed; the host can be used again afterwards. */
  readonly release?: () => void
}
