import type { Clock } from '../internal/clock.ts'
import type { Json, JsonObject } from '../internal/json.ts'
import type { Message, Part } from '../kernel/message.ts'
import type { ToolResult } from '../kernel/tool-result.ts'

type Awaitable<Value> = Value | Promise<Value>

/** What a hook gets besides its subject. */
export interface HookOptions {
  /** Aborts when nobody waits for the hook any more: the run was stopped, or it took too long. */
  readonly signal: AbortSignal
}

/** A prompt as its user wrote it. */
export interface SubmittedPrompt {
  readonly content: readonly Part[]
}

/** A call whose arguments fit its tool. */
export interface CheckedCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly args: JsonObject
}

/** A call together with what it gave. */
export interface FinishedCall extends CheckedCall {
  readonly result: ToolResult
  readonly isError: boolean
}

/** What becomes of a prompt. Nothing: it goes on as it is. */
export type PromptVerdict =
  | undefined
  | { readonly block: true; readonly reason?: string }
  | { readonly content: string | readonly Part[] }

/** What becomes of a call. Nothing: it goes on as it is. */
export type CallVerdict =
  | undefined
  | {
      readonly block: true
      /** For the model. */
      readonly reason?: string
      /** The run should end after this batch of calls, if every call of it says so. */
      readonly terminate?: boolean
    }
  | {
      /** In place of the arguments. They have to fit the tool, too. */
      readonly args?: JsonObject
      /** A person is to be asked, whatever the tool says. */
      readonly requireApproval?: boolean
    }

/** Fields that take the place of those of a result. What is left out stays. */
export interface ResultChange {
  readonly content?: string | readonly Part[]
  readonly details?: Json
  readonly structuredContent?: Json
  readonly isError?: boolean
  readonly terminate?: boolean
}

/**
 * Functions of yours that take part in a run. Several hooks run in order. One that throws, or takes longer than
 * `hookTimeoutMs`, never lets anything through: the prompt is rejected, the call denied, the result withheld, the
 * request not sent.
 *
 * @example
 * ```ts
 * const hooks: AgentHooks = {
 *   beforeToolCall: ({ toolName }) =>
 *     toolName === 'delete_table' ? { block: true, reason: 'Tables are read-only today.' } : undefined,
 * }
 * ```
 */
export interface AgentHooks {
  /** Sees each prompt once, before anything else does. May rewrite or refuse it. */
  readonly onUserPromptSubmit?: (
    prompt: SubmittedPrompt,
    options: HookOptions,
  ) => Awaitable<PromptVerdict>
  /** Sees each call at most once, after its arguments were checked. May change, refuse or ask about it. */
  readonly beforeToolCall?: (call: CheckedCall, options: HookOptions) => Awaitable<CallVerdict>
  /** Sees what each call gave, before anybody else does. */
  readonly afterToolCall?: (
    call: FinishedCall,
    options: HookOptions,
  ) => Awaitable<ResultChange | undefined>
  /** Changes what one request holds. The history stays as it is; every call still needs its result. */
  readonly transformContext?: (
    messages: readonly Message[],
    options: HookOptions,
  ) => Awaitable<readonly Message[]>
}

/** Whether a verdict says no. `{ block: false }` does not, whatever its type says. */
export function isBlock<Verdict extends object>(
  verdict: Verdict,
): verdict is Extract<Verdict, { readonly block: true }> {
  return 'block' in verdict && verdict.block === true
}

/** The time that user functions get, and who measures it. */
export interface Patience {
  readonly timeoutMs: number
  readonly clock: Clock
  /** Fires when nobody waits any more. */
  readonly signal: AbortSignal
}

/** Calls a user function. Rejects with what it throws, when it takes too long, and when the signal fires. */
export function callHook<Value>(
  call: (options: HookOptions) => Awaitable<Value>,
  { timeoutMs, clock, signal }: Patience,
): Promise<Value> {
  const controller = new AbortController()
  return new Promise<Value>((resolve, reject) => {
    const give = (reason: unknown): void => {
      controller.abort(reason)
      reject(reason)
    }
    const abandon = (): void => give(signal.reason)
    if (signal.aborted) return abandon()
    signal.addEventListener('abort', abandon, { once: true })
    const clear = clock.setTimer(timeoutMs, () =>
      give(new Error(`It took longer than ${timeoutMs / 1000} s.`)),
    )
    const done = (): void => {
      clear()
      signal.removeEventListener('abort', abandon)
    }
    controller.signal.addEventListener('abort', done, { once: true })
    // A function that throws at once rejects, too.
    const running = new Promise<Value>((settle) => settle(call({ signal: controller.signal })))
    running.then(resolve, reject).finally(done)
  })
}

/** What a user sees of a hook that failed. */
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
