import { untilAborted } from '../internal/abort.ts'
import type { Clock } from '../internal/clock.ts'
import type { Json } from '../internal/json.ts'
import type { Message, Part } from '../kernel/message.ts'
import type { ToolResult } from '../kernel/tool-outcome.ts'
import type { Tool } from '../tools/definition.ts'
import type { ToolArgs, ToolOutput } from '../tools/tool-types.ts'

type Awaitable<Value> = Value | Promise<Value>

/** The second argument of a hook. */
export interface HookOptions {
  /** Aborts when the result of the hook is no longer used: the run was stopped, or the hook took too long. */
  readonly signal: AbortSignal
}

/** A prompt as its user wrote it. */
interface SubmittedPrompt {
  readonly content: readonly Part[]
}

/** A call whose arguments fit its tool. `toolName` decides the type of the arguments. */
type CheckedCall<T extends Tool = Tool> = T extends Tool
  ? {
      readonly toolCallId: string
      readonly toolName: T['name']
      readonly args: ToolArgs<T>
    }
  : never

/** A call with its result. */
export type FinishedCall<T extends Tool = Tool> = T extends Tool
  ? CheckedCall<T> & {
      readonly result: Omit<ToolResult, 'structuredContent'> & {
        readonly structuredContent?: ToolOutput<T>
      }
      readonly isError: boolean
    }
  : never

/** What to do with a prompt. `undefined`: use it as it is. */
type PromptVerdict =
  | undefined
  | { readonly block: true; readonly reason?: string }
  | { readonly content: string | readonly Part[] }

/** What to do with a call. `undefined`: run it as it is. */
type CallVerdict =
  | undefined
  | {
      readonly block: true
      /** The reason, which the model reads. */
      readonly reason?: string
      /** Ends the run after this batch of calls, if every call of the batch says so. */
      readonly terminate?: boolean
    }
  | {
      /** Replaces the arguments. They have to be JSON, and are checked against the tool's schema, too. */
      readonly args?: { readonly [name: string]: unknown }
      /** Asks a person first, also if the tool itself needs no approval. */
      readonly requireApproval?: boolean
    }

/** Fields that replace those of a result. Fields that are left out stay as they are. */
export interface ResultChange {
  readonly content?: string | readonly Part[]
  readonly details?: Json
  /** Has to fit the tool's `outputSchema`, even if a failure becomes a success. Otherwise the result is withheld. */
  readonly structuredContent?: Json
  readonly isError?: boolean
  readonly terminate?: boolean
}

/**
 * Your functions that take part in a run. Several hooks run in order. If one throws, takes longer than
 * `hookTimeoutMs` milliseconds, or returns none of its answers, nothing gets through: the prompt is rejected, the call
 * denied, the result withheld, the request not sent.
 *
 * @example
 * ```ts
 * const hooks: AgentHooks = {
 *   beforeToolCall: ({ toolName }) =>
 *     toolName === 'delete_table' ? { block: true, reason: 'Tables are read-only today.' } : undefined,
 * }
 * ```
 */
export interface AgentHooks<T extends Tool = Tool> {
  /** Called once with each prompt, before it is written. May rewrite or refuse it. */
  readonly onUserPromptSubmit?: (
    prompt: SubmittedPrompt,
    options: HookOptions,
  ) => Awaitable<PromptVerdict>
  // These are methods, so that a hook for any tool fits an agent with some, and the other way round.
  /**
   * Called at most once with each call, after its arguments were checked. May change or refuse it, or ask a person. In
   * manual mode it is called before the page may answer, also with the calls of tools that the agent does not have.
   */
  beforeToolCall?(this: void, call: CheckedCall<T>, options: HookOptions): Awaitable<CallVerdict>
  /**
   * Called with the result of each call, before the model and the page read it. May replace it; then no partial result
   * and no log of the call is stored with it, because hooks do not see those.
   */
  afterToolCall?(
    this: void,
    call: FinishedCall<T>,
    options: HookOptions,
  ): Awaitable<ResultChange | undefined>
  /** Changes the messages of one request. The history stays as it is; every call still needs its result. */
  readonly transformContext?: (
    messages: readonly Message[],
    options: HookOptions,
  ) => Awaitable<readonly Message[]>
}

/** Whether a verdict blocks. `{ block: false }` does not, although its type does not allow it. */
export function isBlock<Verdict extends object>(
  verdict: Verdict,
): verdict is Extract<Verdict, { readonly block: true }> {
  return 'block' in verdict && verdict.block === true
}

/** How long to wait for a user's function. */
export interface Patience {
  readonly timeoutMs: number
  readonly clock: Clock
  /** Aborts the wait. */
  readonly signal: AbortSignal
}

/** What an effect needs to call hooks. */
export interface HookPorts {
  readonly hooks: readonly AgentHooks[]
  readonly patience: Omit<Patience, 'signal'>
  readonly maxToolResultChars: number
}

/** Calls a user function. Rejects with what it throws, when it takes too long, and when the signal fires. */
export async function callHook<Value>(
  call: (options: HookOptions) => Awaitable<Value>,
  { timeoutMs, clock, signal }: Patience,
): Promise<Value> {
  signal.throwIfAborted()
  // A signal of its own, because that of the effect aborts also when the function has ended.
  const own = new AbortController()
  const abandon = (): void => own.abort(signal.reason)
  signal.addEventListener('abort', abandon, { once: true })
  const clear = clock.setTimer(timeoutMs, () =>
    own.abort(new Error(`It took longer than ${timeoutMs / 1000} s.`)),
  )
  try {
    return await untilAborted(Promise.resolve(call({ signal: own.signal })), own.signal)
  } finally {
    clear()
    signal.removeEventListener('abort', abandon)
  }
}

/** The warning about a hook that failed. */
export function hookFailure(
  name: keyof AgentHooks,
  reason: string,
): {
  readonly type: 'warning'
  readonly code: 'hook_failed'
  readonly message: string
} {
  return { type: 'warning', code: 'hook_failed', message: `The hook ${name} failed: ${reason}` }
}
