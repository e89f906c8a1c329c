import type { Agent, AgentState } from '@offthread/core'
import type { RefObject } from 'react'
import type { MessageView } from '../use-message.ts'
import { createRootContext, type RootContext } from './root-context.ts'

/** The values that a message provides for its parts. */
export interface MessageContext {
  readonly agent: Agent
  readonly message: MessageView
  readonly isEditing: boolean
  readonly setEditing: (isEditing: boolean) => void
  /** The button that gets the focus back when the editor closes. */
  readonly editButton: RefObject<HTMLButtonElement | null>
}

export const messageRoot: RootContext<MessageContext> =
  createRootContext<MessageContext>('Message.Root')

export function canEditIn({ can }: AgentState): boolean {
  return can.edit
}
