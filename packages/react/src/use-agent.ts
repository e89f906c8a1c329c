import type { Agent, AgentState, Part, RunResult, Tool, ToolAnswer } from '@offthread/core'
import { useMemo, useSyncExternalStore } from 'react'
import type { ApprovalAnswer } from './answer-approval.ts'
import { answerApproval } from './answer-approval.ts'
import { throttled } from './throttled.ts'

/** What the agent shows, and what a user can do. What can be done keeps its identity for as long as the agent is the same. */
export interface AgentView<T extends Tool = Tool> extends AgentState<T>, AgentActions<T> {}

/** What a user can do. */
export interface AgentActions<T extends Tool = Tool> {
  /**
   * Says something to the model. Resolves when the run has ended, however it ended. While a run is active it is
   * queued as a follow-up, and resolves at once with `null`; one that is said while the stored session is read is
   * said after it. Rejects with a `TypeError` for an empty input.
   */
  readonly sendMessage: (input: string | readonly Part[]) => Promise<RunResult | null>
  /** Says something into the run: at its next checkpoint, and what has not started is skipped. */
  readonly steer: (input: string | readonly Part[]) => void
  /** Takes back what is queued and not delivered. */
  readonly clearQueues: () => void
  /** Stops the run with everything it started. */
  readonly stop: () => void
  /** Has the last question answered anew. */
  readonly regenerate: () => Promise<RunResult>
  /** Goes on where a stopped, failed or limited run left off. */
  readonly continue: () => Promise<RunResult>
  /** Cancels one call; its siblings and the run go on. Says whether there was something to cancel. */
  readonly cancelTool: (toolCallId: string) => boolean
  // A method, so that the view of an agent with some tools is an `AgentView`.
  /** Answers a call that the user interface answers. */
  addToolOutput(this: void, answer: ToolOutputAnswer<T>): Promise<void>
  /**
   * Answers a call that waits to be allowed. Give the `argsDigest` of the `approval` that was shown, and nothing else is
   * allowed; without it the answer is about the arguments of the newest snapshot. Throws if the call does not wait for
   * that.
   */
  readonly addToolApprovalResponse: (response: ToolApprovalResponse) => void
}

/** The answer to a call, given by the user interface. `toolName` gives `output` its type, and is checked. */
export type ToolOutputAnswer<T extends Tool = Tool> = { readonly toolCallId: string } & (
  | AnswerOf<T>
  | { readonly output: AnyAnswerOf<T>; readonly toolName?: undefined; readonly isError?: false }
  /** The output says why there is none. */
  | { readonly output: unknown; readonly toolName?: T['name']; readonly isError: true }
)

type AnswerOf<T extends Tool> = T extends Tool
  ? { readonly output: ToolAnswer<T>; readonly toolName: T['name']; readonly isError?: false }
  : never
type AnyAnswerOf<T extends Tool> = T extends Tool ? ToolAnswer<T> : never

/** What a person says about a call that waits to be allowed. */
export type ToolApprovalResponse = ApprovalAnswer & {
  readonly toolCallId: string
  /** Names the arguments that were shown: `approval.argsDigest` of the call. */
  readonly argsDigest?: string
}

/** How a component follows an agent. */
export interface UseAgentOptions {
  /**
   * Milliseconds between two renders while something changes, for a page where each render is expensive: the first
   * change is shown at once, later ones together. Default 0: a render for each frame.
   */
  readonly throttleMs?: number
}

/**
 * The agent as UI state. The agent lives outside React: mounting, unmounting and StrictMode start and stop
 * nothing. The component renders at most once per frame while an answer streams; a message or a tool call that
 * did not change keeps its identity, so a `memo` component for it does not render. Throws a `TypeError` for a
 * `throttleMs` that is no number of at least 0.
 *
 * @example
 * ```tsx
 * function Chat() {
 *   const { messages, status, sendMessage, stop } = useAgent(agent)
 *   return <>{messages.map((message) => <Message key={message.id} message={message} />)}</>
 * }
 * ```
 */
export function useAgent<T extends Tool = Tool>(
  agent: Agent<T>,
  options?: UseAgentOptions,
): AgentView<T>
export function useAgent(agent: Agent, { throttleMs = 0 }: UseAgentOptions = {}): AgentView {
  if (!(throttleMs >= 0)) {
    throw new TypeError(`throttleMs must be a number of at least 0; it is ${throttleMs}.`)
  }
  const { getState, subscribe } = useMemo(
    () => (throttleMs > 0 ? throttled(agent.store, throttleMs) : agent.store),
    [agent, throttleMs],
  )
  const state = useSyncExternalStore(subscribe, getState, getState)
  const actions = useMemo(() => actionsOf(agent), [agent])
  return useMemo(() => ({ ...state, ...actions }), [state, actions])
}

function actionsOf(agent: Agent): AgentActions {
  return {
    sendMessage: (input) => sendMessage(agent, input),
    steer: agent.steer,
    clearQueues: agent.clearQueues,
    // Not the methods themselves: as click handlers they would take the event for an argument.
    stop: () => agent.abort(),
    regenerate: () => agent.regenerate(),
    continue: () => agent.continue(),
    cancelTool: agent.cancelTool,
    addToolOutput: ({ toolCallId, output, toolName, isError = false }) =>
      agent.addToolResult(toolCallId, output, {
        isError,
        ...(toolName !== undefined && { toolName }),
      }),
    addToolApprovalResponse: ({ toolCallId, argsDigest, ...answer }) => {
      const { approval } = agent.getState().toolCalls.get(toolCallId) ?? {}
      const shown = argsDigest === undefined ? approval : { argsDigest }
      answerApproval(agent, { toolCallId, ...(shown && { approval: shown }) }, answer)
    },
  }
}

// Whether a run is active may change while a prompt waits for the session to be read.
async function sendMessage(
  agent: Agent,
  input: string | readonly Part[],
): Promise<RunResult | null> {
  while (!agent.isRunning()) {
    try {
      return await agent.prompt(input)
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'AgentBusyError') throw error
    }
  }
  agent.followUp(input)
  return null
}
