import type {
  Agent,
  JsonObject,
  RunResult,
  Tool,
  ToolAnswer,
  ToolCallView,
  ToolInput,
} from '@offthread/core'
import { type ApprovalAnswer, answerApproval } from './answer-approval.ts'

/** A tool call as a card shows it, and what a user can do with it. `toolName` narrows the types. */
export type ToolCallCard<T extends Tool = Tool> =
  | KnownCard<T>
  | (ToolCallView<never> & ToolCallActions<unknown, JsonObject>)

type KnownCard<T extends Tool> = T extends Tool
  ? ToolCallView<T> & { readonly toolName: T['name'] } & ToolCallActions<
        ToolAnswer<T>,
        ToolInput<T>
      >
  : never

interface ToolCallActions<Answer, Args> {
  /** The commands that are possible now, to show or enable their buttons. */
  readonly can: {
    /** Whether the call can be retried: it did not succeed. */
    readonly retry: boolean
  }
  /** Cancels this call only. Says whether there was something to cancel. */
  readonly cancel: () => boolean
  /**
   * Runs it once more, with the arguments that it had or with others. Before the model has read its result, the new one
   * takes its place; after that, the conversation goes on from here on a branch of its own. Resolves when the run has
   * ended; rejects as `agent.retryTool` does.
   */
  retry(this: void, options?: { readonly args?: NonNullable<Args> }): Promise<RunResult>
  /**
   * Answers the call in place of its tool, for tools with place `'client'`. With `isError` the output says why there is
   * none.
   */
  readonly addToolOutput: <Failed extends boolean = false>(
    output: [Failed] extends [true] ? unknown : Answer,
    options?: { readonly isError?: Failed },
  ) => Promise<void>
  /**
   * Allows the call to run with the arguments in `approval` or with others, or denies it. Throws if it does not wait
   * for approval.
   */
  readonly addToolApprovalResponse: (answer: ApprovalAnswer) => void
}

/** A call with what can be done about it. */
export function cardOf(agent: Agent, call: ToolCallView, can: ToolCallCard['can']): ToolCallCard {
  const { toolCallId } = call
  return {
    ...call,
    can,
    retry: (options?: { readonly args?: JsonObject }) =>
      agent.retryTool(toolCallId, options?.args && { args: options.args }),
    cancel: () => agent.cancelTool(toolCallId),
    addToolOutput: (output, options) => agent.addToolResult(toolCallId, output, options),
    addToolApprovalResponse: (answer) =>
      answerApproval(agent, { toolCallId, argsDigest: call.approval?.argsDigest }, answer),
  }
}
