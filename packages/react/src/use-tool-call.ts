import type { Agent, AgentState, Tool, ToolAnswer, ToolCallView } from '@offthread/core'
import { useCallback, useMemo } from 'react'
import { type ApprovalAnswer, answerApproval } from './answer-approval.ts'
import { useAgentSelector } from './use-agent-selector.ts'

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

/**
 * One tool call, live. The component renders only when this call changes. `undefined` for an id that the
 * conversation does not hold.
 *
 * @example
 * ```tsx
 * function ToolCard({ id }: { id: string }) {
 *   const call = useToolCall(agent, id)
 *   return call && <button onClick={call.cancel} disabled={call.hasEnded}>{call.label}: {call.status}</button>
 * }
 * ```
 */
export function useToolCall<T extends Tool = Tool>(
  agent: Agent<T>,
  toolCallId: string,
): ToolCallCard<T> | undefined
export function useToolCall(agent: Agent, toolCallId: string): ToolCallCard | undefined {
  const select = useCallback((state: AgentState) => state.toolCalls.get(toolCallId), [toolCallId])
  const call = useAgentSelector(agent, select)
  return useMemo(() => call && { ...call, ...actionsOf(agent, call) }, [agent, call])
}

function actionsOf(agent: Agent, call: ToolCallView): ToolCallActions<unknown> {
  const { toolCallId } = call
  return {
    cancel: () => agent.cancelTool(toolCallId),
    addToolOutput: (output, options) => agent.addToolResult(toolCallId, output, options),
    addToolApprovalResponse: (answer) => answerApproval(agent, call, answer),
  }
}
