import type { Agent } from '@offthread/core'
import type { RefObject } from 'react'
import type { ToolCallCard } from '../tool-call-card.ts'
import { createRootContext, type RootContext } from './root-context.ts'

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
