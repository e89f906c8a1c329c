import type { Agent, AgentState, Part, RunResult } from '@offthread/core'
import { useCallback, useMemo } from 'react'
import { useAgentSelector } from './use-agent-selector.ts'

/** What the agent shows, and what a user can do. */
export interface AgentView extends AgentState {
  /**
   * Says something to the model. Resolves when the run has ended, however it ended. Rejects with
   * `AgentBusyError` while a run is active, and with a `TypeError` for an empty input.
   */
  readonly sendMessage: (input: string | readonly Part[]) => Promise<RunResult>
  /** Stops the run with everything it started. Its identity holds for as long as the agent is the same. */
  readonly stop: () => void
}

/**
 * The agent as UI state. The agent lives outside React: mounting, unmounting and StrictMode start and stop
 * nothing. The component renders at most once per frame while an answer streams; a message or a tool call that
 * did not change keeps its identity, so a `memo` component for it does not render.
 *
 * @example
 * ```tsx
 * function Chat() {
 *   const { messages, status, sendMessage, stop } = useAgent(agent)
 *   return <>{messages.map((message) => <Message key={message.id} message={message} />)}</>
 * }
 * ```
 */
export function useAgent(agent: Agent): AgentView {
  const state = useAgentSelector(agent, whole)
  // Not `agent.abort` itself: as a click handler it would take the event for a reason.
  const stop = useCallback(() => agent.abort(), [agent])
  return useMemo(() => ({ ...state, sendMessage: agent.prompt, stop }), [agent, state, stop])
}

function whole(state: AgentState): AgentState {
  return state
}
