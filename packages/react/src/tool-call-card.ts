import type { Agent, Tool, ToolAnswer, ToolCallView } from '@offthread/core'
import { type ApprovalAnswer, answerApproval } from './answer-approval.ts'

/** A tool call as a card shows it, and what a user can do with it. `toolName` narrows the types. */
export type ToolCallCard<T extends Tool = Tool> =
  | KnownCard<T>
  | (ToolCallView<never> & ToolCallActions<unknown>)

type KnownCard<T extends Tool> = T extends Tool
  ? ToolCallView<T> & { readonly toolName: T['name'] } & ToolCallActions<ToolAnswer<T>>
  : never

interface ToolCallActions<Answer> {
  /** Cancels this call only. Says whether there was something to cancel. */
  readonly cancel: () => boolean
  /** Answers it in place of its tool, for tools with place `'client'`. With `isError` the output says why there is none. */
  readonly addToolOutput: <Failed extends boolean = false>(
    output: [Failed] extends [true] ? unknown : Answer,
    options?: { readonly isError?: Failed },
  ) => Promise<void>
  /** Allows it to run with the arguments in `approval`, or with others, or does not. Throws if it does not wait for that. */
  readonly addToolApprovalResponse: (answer: ApprovalAnswer) => void
}

/** A call with what can be done about it. */
export function cardOf(agent: Agent, call: ToolCallView): ToolCallCard {
  const { toolCallId } = call
  return {
    ...call,
    cancel: () => agent.cancelTool(toolCallId),
    addToolOutput: (output, options) => agent.addToolResult(toolCallId, output, options),
    addToolApprovalResponse: (answer) => answerApproval(agent, call, answer),
  }
}
