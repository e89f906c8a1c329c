import type { Agent, AgentState, ChatMessage, RunEnd, RunResult, UserInput } from '@offthread/core'
import { useCallback, useMemo } from 'react'
import { editorOf } from './branches.ts'
import { useAgentSelector } from './use-agent-selector.ts'

/** A message as a bubble shows it, and what a user can do with it. */
export type MessageView = ChatMessage & MessageFacts & MessageActions

interface MessageFacts {
  /** How the run ended after which this message was the last one. */
  readonly end: RunEnd | undefined
  /**
   * How many messages are in its place, itself included: more than 1 after an edit or a `regenerate`. Of an answer, how many
   * branches go on from it: more than 1 after a retry of one of its calls.
   */
  readonly branchCount: number
  /** The place of this message among them, from 0, oldest first. */
  readonly branchIndex: number
}

interface MessageActions {
  /** Sends something else in its place, as `edit` of `useAgent` does. */
  readonly edit: (input: UserInput) => Promise<RunResult>
  /**
   * Shows another of the messages in its place, with what came after that. Does nothing for an invalid number.
   * Throws an `AgentBusyError` while a run is active.
   */
  readonly selectBranch: (index: number) => void
}

/**
 * One message of the conversation, live. The component renders only when this message changes, or how many others are
 * in its place. `undefined` for an id that the conversation does not show.
 *
 * @example
 * ```tsx
 * function Question({ id }: { id: string }) {
 *   const message = useMessage(agent, id)
 *   if (!message) return null
 *   const { content, branchIndex, branchCount, selectBranch } = message
 *   return (
 *     <article>
 *       {textOf(content)}
 *       {branchCount > 1 && <button onClick={() => selectBranch(branchIndex - 1)}>Older</button>}
 *     </article>
 *   )
 * }
 * ```
 */
export function useMessage(agent: Agent, messageId: string): MessageView | undefined {
  const select = useCallback((state: AgentState) => factsOf(state, messageId), [messageId])
  const shown = useAgentSelector(agent, select, isSame)
  return useMemo(() => shown && viewOf(agent, shown), [agent, shown])
}

interface Shown extends MessageFacts {
  readonly message: ChatMessage
}

function viewOf(agent: Agent, { message, ...facts }: Shown): MessageView {
  const { id } = message
  return {
    ...message,
    ...facts,
    edit: (input) => editorOf(agent)(id, input),
    selectBranch: (index) => {
      const branch = agent.getState().branches.get(id)[index]
      if (branch) agent.moveHead(branch.headId)
    },
  }
}

function factsOf(state: AgentState, messageId: string): Shown | undefined {
  const message = messagesById(state.messages).get(messageId)
  if (!message) return undefined
  const branches = state.branches.get(messageId)
  return {
    message,
    end: state.runs.get(messageId),
    branchCount: Math.max(1, branches.length),
    branchIndex: Math.max(
      0,
      branches.findIndex((branch) => branch.isShown),
    ),
  }
}

function isSame(a: Shown | undefined, b: Shown | undefined): boolean {
  return (
    a?.message === b?.message &&
    a?.end === b?.end &&
    a?.branchCount === b?.branchCount &&
    a?.branchIndex === b?.branchIndex
  )
}

const known = new WeakMap<readonly ChatMessage[], ReadonlyMap<string, ChatMessage>>()

// Made once for a list, however many components look for a message in it.
function messagesById(messages: readonly ChatMessage[]): ReadonlyMap<string, ChatMessage> {
  const byId = known.get(messages) ?? new Map(messages.map((message) => [message.id, message]))
  known.set(messages, byId)
  return byId
}
