import type { AgentEvent } from '@offthread/core'
import { createStore } from 'zustand/vanilla'
import type { DemoAgent, Kept } from './agent.ts'
import { textsIn } from './text/parse-json.ts'

const key = 'allowed-tools'

/**
 * The tools that a person allows without being asked again in this chat.
 *
 * Answers approvals that a person has given for the rest of the chat. They are kept beside the session and not in its log:
 * they can be taken back, end with the chat, and go neither into an export nor into a fork. Each call that is allowed by
 * one still has an approval of its own in the log, for exactly its arguments.
 */
export function createApprovals(agent: DemoAgent, kept: Kept | undefined) {
  const { setState, ...store } = createStore<ReadonlySet<string>>(() => new Set())

  /** Reads the stored approvals, which another tab may have changed. */
  async function read(): Promise<void> {
    const stored = await kept?.storage.readBytes(kept.sessionId, key)
    if (stored) setState(new Set(textsIn(await stored.text())), true)
  }

  function change(change: (tools: Set<string>) => void): void {
    const tools = new Set(store.getState())
    change(tools)
    setState(tools, true)
    // If it cannot be stored, the approval holds for this page only.
    kept?.storage
      .writeBytes(kept.sessionId, key, new Blob([JSON.stringify([...tools])]))
      .catch((error: unknown) => console.warn(error))
  }

  async function answer(asked: ApprovalRequest): Promise<void> {
    if (!store.getState().has(asked.toolName)) await read()
    // Only the tab that runs the call answers, so that the call has one answer.
    if (!store.getState().has(asked.toolName) || agent.getState().access !== 'owner') return
    const { toolCallId, argsDigest } = asked
    agent.respondToApproval(toolCallId, { decision: 'approve', argsDigest })
  }

  // If the approvals cannot be read, the card still asks. The call may also have been answered meanwhile.
  const ignore = (): void => {}
  read().catch(ignore)
  agent.subscribe((event) => {
    if (event.type === 'tool_approval_requested') {
      // The answer comes later, because no command may be given while an event is being delivered.
      queueMicrotask(() => void answer(event).catch(ignore))
    }
  })
  return {
    ...store,
    allow: (toolName: string) => change((tools) => tools.add(toolName)),
    askAgain: (toolName: string) => change((tools) => tools.delete(toolName)),
  }
}

type ApprovalRequest = Extract<AgentEvent, { readonly type: 'tool_approval_requested' }>
