import type { Agent } from '@offthread/core'
import type { RefObject } from 'react'
import type { ToolCallCard } from '../tool-call-card.ts'
import { useAgentSelector } from '../use-agent-selector.ts'
import { canSendIn } from './draft.ts'
import { createRootContext, type RootContext, useRoot } from './root-context.ts'

/** Whether a card is open, and how to change that. */
export interface Disclosure {
  /** Whether `Content` is shown. */
  readonly isOpen: boolean
  /** Opens or closes it. */
  readonly setOpen: (isOpen: boolean) => void
}

/** The values that a card provides for its parts. */
export interface ToolCallContext extends Disclosure {
  readonly agent: Agent
  readonly call: ToolCallCard
  readonly contentId: string
  readonly header: RefObject<HTMLButtonElement | null>
}

export const toolCallRoot: RootContext<ToolCallContext> =
  createRootContext<ToolCallContext>('ToolCall.Root')

/** Whether the agent takes commands: not in a session that is only shown. */
export function useCanAct(): boolean {
  return useAgentSelector(useRoot(toolCallRoot).agent, canSendIn)
}
