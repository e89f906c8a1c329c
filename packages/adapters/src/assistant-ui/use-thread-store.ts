import type { Agent, AgentState } from '@offthread/core'
import { useMemo, useSyncExternalStore } from 'react'
import { exchangesIn } from '../exchanges.ts'
import { appendedContent } from './appended-content.ts'
import { createThreadItems } from './thread-items.ts'
import type { ThreadItem, ThreadStore } from './thread-types.ts'

/**
 * An agent as the store of an assistant-ui thread: messages with their calls, send, stop, edit, reload, branches, answers and approvals.
 * Use one hook for one thread.
 *
 * @example
 * ```tsx
 * const runtime = useExternalStoreRuntime(useThreadStore(agent))
 * return <AssistantRuntimeProvider runtime={runtime}><Thread /></AssistantRuntimeProvider>
 * ```
 */
export function useThreadStore(agent: Agent): ThreadStore {
  const { subscribe, getState, getInitialState } = agent.store
  const state = useSyncExternalStore(subscribe, getState, getInitialState)
  const itemsOf = useMemo(() => createThreadItems(), [])
  const commands = useMemo(() => commandsOf(agent), [agent])
  const messages = useMemo(() => itemsOf(state), [itemsOf, state])
  return { ...commands, messages, isRunning: state.isActive }
}

type Commands = Omit<ThreadStore, 'messages' | 'isRunning'>

function commandsOf(agent: Agent): Commands {
  const exchanges = () => exchangesIn(agent.getState().messages)
  return {
    convertMessage: (message) => message,
    onNew: async (message) => {
      const content = appendedContent(message)
      if (agent.isRunning()) agent.steer(content)
      else await agent.prompt(content)
    },
    onEdit: async (message) => {
      const all = exchanges()
      const place = all.findIndex(
        ({ opening, answerId }) =>
          opening?.id === message.parentId || answerId === message.parentId,
      )
      const next = all[place + 1]
      const after = next ? { after: next.opening?.parentId ?? null } : {}
      await agent.prompt(appendedContent(message), after)
    },
    onReload: async (parentId) => {
      const last = exchanges().at(-1)
      if (last?.opening?.id !== parentId || last.answerId !== null) agent.moveHead(parentId)
      await agent.regenerate()
    },
    onCancel: async () => agent.abort(),
    setMessages: (messages) => showBranch(agent, messages),
    onAddToolResult: ({ toolCallId, result, isError }) =>
      agent.addToolResult(toolCallId, result, { isError }),
    onRespondToToolApproval: ({ approvalId: argsDigest, approved, reason }) => {
      const { active } = agent.getState().toolCalls
      const call = active.find(({ approval }) => approval?.argsDigest === argsDigest)
      const why = reason === undefined ? {} : { reason }
      agent.respondToApproval(
        call?.toolCallId ?? '',
        approved ? { decision: 'approve', argsDigest } : { decision: 'deny', argsDigest, ...why },
      )
    },
  }
}

/** Goes back to the branch whose messages these are. */
function showBranch(agent: Agent, items: readonly ThreadItem[]): void {
  const { messages, branches }: AgentState = agent.getState()
  const shown = new Set(messages.map(({ id }) => id))
  const left = items.find(({ id }) => !shown.has(id))
  if (!left) return
  const siblings = messages.flatMap(({ id }) => branches.get(id))
  const branch = siblings.find(({ messageId }) => messageId === left.id)
  if (branch) agent.moveHead(branch.headId)
}
