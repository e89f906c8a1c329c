import type { Agent, AgentState, Tool, ToolCallView } from '@offthread/core'
import { useMemo } from 'react'
import { cardOf, type ToolCallCard } from './tool-call-card.ts'
import { useAgentSelector } from './use-agent-selector.ts'

/**
 * The calls that wait for a person to allow them, in call order, those of agents inside calls too. The component renders
 * only when one comes or goes.
 *
 * @example
 * ```tsx
 * const [next] = useApprovals(agent)
 * return next && (
 *   <button onClick={() => next.addToolApprovalResponse({ approved: true })}>Allow {next.label}</button>
 * )
 * ```
 */
export function useApprovals<T extends Tool = Tool>(agent: Agent<T>): readonly ToolCallCard<T>[]
export function useApprovals(agent: Agent): readonly ToolCallCard[] {
  const calls = useAgentSelector(agent, waitingCalls, hasSameItems)
  return useMemo(() => calls.map((call) => cardOf(agent, call, { retry: false })), [agent, calls])
}

function waitingCalls({ toolCalls }: AgentState): readonly ToolCallView[] {
  return toolCalls.active.filter(({ status }) => status === 'awaiting_approval')
}

function hasSameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}
