import type { Json, JsonObject } from '../internal/json.ts'
import type { Ending } from '../kernel/ending.ts'
import type { LogLine, PartialToolResult, ToolProgress, ToolResult } from '../kernel/tool-result.ts'
import type { Resources, Tool } from './definition.ts'

/** One call, as it is handed to the code that runs it. */
export interface CallRequest {
  readonly executionId: string
  readonly toolCallId: string
  readonly toolName: string
  readonly attempt: number
  readonly input: JsonObject
  readonly resources: Resources
}

/** What a running call tells on its way. Nothing of it may throw. */
export interface CallListener {
  readonly running: () => void
  readonly update: (partial: PartialToolResult) => void
  readonly progress: (progress: ToolProgress) => void
  readonly log: (lines: readonly LogLine[], dropped: number) => void
  /** `durable`: the tool wants it stored. */
  readonly custom: (name: string, data: Json, durable: boolean) => void
}

/** Bytes as a tool returned them, before they have an id. */
export interface NewArtifact {
  readonly name: string
  readonly mediaType: string
  /** A buffer is nobody else's any more. */
  readonly data: Blob | ArrayBuffer
  /** It holds, in full, a part of the result that was cut to size. It is kept only if there is room. */
  readonly isFullResult?: true
}

/** What a tool's code returned, as plain data and cut to size; its bytes have no ids yet. */
export interface ReturnedResult extends Omit<ToolResult, 'artifacts'> {
  readonly artifacts?: readonly NewArtifact[]
}

/** How an execution came to its end. There is exactly one for each. */
export type Settlement =
  | { readonly kind: 'returned'; readonly result: ReturnedResult }
  | Extract<Ending, { readonly kind: 'threw' | 'crashed' }>
  /** `terminated`: the code did not end within the grace period after its abort, and may run on for a moment. */
  | { readonly kind: 'stopped'; readonly how: 'cooperative' | 'terminated' }

/** A single use of a tool's code: made ready, run at most once, closed. */
export interface Execution {
  /** Resolves when the code can run. Rejects with an `Error` whose message says why it cannot. */
  readonly ready: Promise<void>
  /** Runs the call. Resolves exactly once, whatever the code does; never rejects. */
  readonly run: (request: CallRequest, listener: CallListener) => Promise<Settlement>
  /** Asks the running code to stop; after the grace period it is cut off. Does nothing twice. */
  readonly stop: () => void
  /** Ends what is left of it. Safe at any time, also before `ready` and after the settlement. */
  readonly close: () => void
}

/** A place where some tools run. Made by `inWorkers`, `inIsolation`, `inPage`, `inClient` and `agentTool`. */
export interface ToolHost<T extends Tool = Tool> {
  readonly tools: readonly T[]
  /**
   * Makes one execution of the tool. Trouble is told by `ready`; what it throws, as the host of `agentTool` does outside
   * an agent, is misuse.
   */
  readonly open: (tool: Tool, options: { readonly graceMs: number }) => Execution
  /** Starts what would run the tools, and ends it. Rejects with an `Error` that says which tools have no code. */
  readonly check: () => Promise<void>
  /** Ends what waits for calls. Called when an agent is disposed; another call makes it anew. */
  readonly release?: () => void
}
