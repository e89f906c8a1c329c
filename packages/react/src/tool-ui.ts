import type { Agent, Tool } from '@offthread/core'
import { createElement, memo, type NamedExoticComponent, type ReactNode } from 'react'
import type { ToolCallCard } from './tool-call-card.ts'
import { useToolCall } from './use-tool-call.ts'

/** The card for the calls of one tool, or with `'*'` for those of all others. */
export interface ToolUI<T extends Tool = Tool> {
  /** The name of the tool, or `'*'`. */
  readonly toolName: string
  // A method, so that a list may hold those of several tools.
  /** A component: it may use hooks. */
  Card(this: void, props: ToolUIProps<T>): ReactNode
}

/** The props of a card. */
export interface ToolUIProps<T extends Tool = Tool> {
  /** The call, live. Its `toolName` is that of the tool. */
  readonly call: ToolCallCard<T>
}

/**
 * Says how the calls of a tool are shown. The definition of the tool gives the card its types: `call.args` once
 * `call.hasValidArgs`, and `call.output`. With `'*'` it shows the calls of tools that have no card of their own.
 *
 * @example
 * ```tsx
 * const primesUI = defineToolUI(countPrimes, ({ call }) => <p>{call.output?.count ?? call.status}</p>)
 * const otherUI = defineToolUI('*', ({ call }) => <p>{call.label}: {call.status}</p>)
 *
 * <ToolCall agent={agent} toolCallId={id} ui={[primesUI, otherUI]} />
 * ```
 */
export function defineToolUI<T extends Tool>(
  tool: T,
  Card: (props: ToolUIProps<T>) => ReactNode,
): ToolUI<T>
export function defineToolUI(tool: '*', Card: (props: ToolUIProps) => ReactNode): ToolUI
export function defineToolUI(tool: Tool | '*', Card: (props: ToolUIProps) => ReactNode): ToolUI {
  return { toolName: tool === '*' ? tool : tool.name, Card }
}

/** Which call is shown, and with what. */
export interface ToolCallProps {
  /** The agent whose call it is. */
  readonly agent: Agent
  /** The id of the call. A call that the conversation does not hold is not shown. */
  readonly toolCallId: string
  /** The cards that `defineToolUI` returned. Make the list once, outside of components. */
  readonly ui: readonly ToolUI[]
}

/**
 * Shows one call with the card of its tool, else with that of `'*'`, else not at all: a call without a card is never
 * shown raw. It renders only when the call changes.
 */
export const ToolCall: NamedExoticComponent<ToolCallProps> = memo(function ToolCall({
  agent,
  toolCallId,
  ui,
}: ToolCallProps): ReactNode {
  const call = useToolCall(agent, toolCallId)
  if (!call) return null
  const own = ui.find(({ toolName }) => toolName === call.toolName)
  const shown = own ?? ui.find(({ toolName }) => toolName === '*')
  return shown ? createElement(shown.Card, { call }) : null
})
