import type { Agent, AgentState, RunResult, Tool, ToolAnswer, UserInput } from '@offthread/core'
import { useMemo, useSyncExternalStore } from 'react'
import { type ApprovalAnswer, answerApproval } from './answer-approval.ts'
import { type EditMessage, editorOf, selectBranch } from './branches.ts'
import { type AskAgain, type SendMessage, senderOf } from './send-message.ts'
import { throttled } from './throttled.ts'
import { type RunEndOptions, useRunEnd } from './use-run-end.ts'

/**
 * What the agent shows, and the commands of a user. The commands keep their identity as long as the agent is the
 * same.
 */
export interface AgentView<T extends Tool = Tool> extends AgentState<T>, AgentActions<T> {}

/** The commands of a user. */
export interface AgentActions<T extends Tool = Tool> {
  /**
   * Sends a message to the model. Resolves when the run has ended, however it ended. While a run is active the
   * message is queued as a follow-up, and the promise resolves at once with `null`; a message sent while the stored
   * session is loaded is sent after that. Rejects with a `TypeError` for an empty input. With `output` it asks for
   * an answer that fits a schema, as `prompt` does, and `useOutput` shows it while it is written; such a message is not
   * queued: it rejects with an `AgentBusyError` while a run is active.
   *
   * @example
   * ```ts
   * const result = await sendMessage('How do I make pancakes?', { output: recipe })
   * if (result.output) show(result.output.title)
   * ```
   */
  readonly sendMessage: SendMessage
  /**
   * Sends a message into the run: it is delivered at the next checkpoint, and calls that have not started are
   * skipped.
   */
  readonly steer: (input: UserInput) => void
  /** Removes the messages that are queued and not delivered. */
  readonly clearQueues: () => void
  /**
   * Says something else in place of one of the user's messages. The message stays on a branch of its own, with what came
   * after it. Rejects with an `AgentBusyError` while a run is active, with a `TypeError` for an empty input or a message
   * that is not shown; nothing has changed then. With `output` it asks for an answer that fits a schema.
   */
  readonly edit: EditMessage
  /**
   * Shows another branch: by the id of a message from `branches.get(…)` (of two with one `messageId`: by the `headId`) or
   * `branches.tips`. Throws an `AgentBusyError` while a run is active.
   */
  readonly selectBranch: (messageId: string) => void
  /**
   * Starts an empty conversation in the same session, and empties the queues. What was said stays on a branch:
   * `selectBranch` leads back. Throws an `AgentBusyError` while a run is active.
   */
  readonly clear: () => void
  /** Stops the run with everything it started. */
  readonly stop: () => void
  /** Repeats the request for the last answer. With `output` it asks for one that fits a schema. */
  readonly regenerate: AskAgain
  /** Continues where a stopped, failed or limited run ended. With `output` it asks for an answer that fits a schema. */
  readonly continue: AskAgain
  /**
   * Makes this agent the owner of its session, when `access` says that it is not. Rejects if the session cannot be owned,
   * for instance because it is damaged.
   */
  readonly takeOver: () => Promise<void>
  /** Cancels one call; its siblings and the run continue. Returns whether there was something to cancel. */
  readonly cancelTool: (toolCallId: string) => boolean
  /** Runs a call that has ended once more, with the arguments that it had, as `retryTool` of the agent does. */
  readonly retryTool: (toolCallId: string) => Promise<RunResult>
  // A method, so that the view of an agent with some tools is an `AgentView`.
  /** Gives the result of a call that the user interface answers. */
  addToolOutput(this: void, answer: ToolOutputAnswer<T>): Promise<void>
  /**
   * Answers a call that waits for approval. With the `argsDigest` of the `approval` that was shown, the answer
   * counts only for those arguments; without it, for the arguments of the newest snapshot. Throws if the call does
   * not wait for approval.
   */
  readonly addToolApprovalResponse: (response: ToolApprovalResponse) => void
}

/** The answer to a call, given by the user interface. `toolName` gives `output` its type, and is checked. */
export type ToolOutputAnswer<T extends Tool = Tool> = { readonly toolCallId: string } & (
  | AnswerOf<T>
  | { readonly output: AnyAnswerOf<T>; readonly toolName?: undefined; readonly isError?: false }
  /** Marks the call as failed; `output` says why. */
  | { readonly output: unknown; readonly toolName?: T['name']; readonly isError: true }
)

type AnswerOf<T extends Tool> = T extends Tool
  ? { readonly output: ToolAnswer<T>; readonly toolName: T['name']; readonly isError?: false }
  : never
type AnyAnswerOf<T extends Tool> = T extends Tool ? ToolAnswer<T> : never

/** The answer of a person to a call that waits for approval. */
export type ToolApprovalResponse = ApprovalAnswer & {
  readonly toolCallId: string
  /** Names the arguments that were shown: `approval.argsDigest` of the call. */
  readonly argsDigest?: string
}

/** How a component follows an agent. */
export interface UseAgentOptions extends RunEndOptions {
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
 * `throttleMs` that is no number from 0 to 2,147,483,647. While a page hydrates, the component shows the agent as it was
 * made, as the server did.
 *
 * @example
 * ```tsx
 * function Chat() {
 *   const { messages, can, sendMessage, stop } = useAgent(agent)
 *   return (
 *     <>
 *       {messages.map((message) => <Message key={message.id} message={message} />)}
 *       <button onClick={stop} disabled={!can.stop}>Stop</button>
 *     </>
 *   )
 * }
 * ```
 */
export function useAgent<T extends Tool = Tool>(
  agent: Agent<T>,
  options?: UseAgentOptions,
): AgentView<T>
export function useAgent(agent: Agent, options: UseAgentOptions = {}): AgentView {
  const { throttleMs = 0 } = options
  if (!(throttleMs >= 0 && throttleMs <= longestTimerMs)) {
    throw new TypeError(`throttleMs must be from 0 to 2,147,483,647; it is ${throttleMs}.`)
  }
  const { getState, subscribe } = useMemo(
    () => (throttleMs > 0 ? throttled(agent.store, throttleMs) : agent.store),
    [agent, throttleMs],
  )
  const state = useSyncExternalStore(subscribe, getState, agent.store.getInitialState)
  const actions = useMemo(() => actionsOf(agent), [agent])
  useRunEnd(agent, options)
  return useMemo(() => ({ ...state, ...actions }), [state, actions])
}

/** The longest wait of a timer: browsers run one without a wait if it is asked for more. */
const longestTimerMs = 2_147_483_647

function actionsOf(agent: Agent): AgentActions {
  return {
    sendMessage: senderOf(agent),
    steer: agent.steer,
    clearQueues: agent.clearQueues,
    edit: editorOf(agent),
    selectBranch: (messageId) => selectBranch(agent, messageId),
    clear: () => {
      agent.moveHead(null)
      agent.clearQueues()
    },
    // The command is wrapped, because as a click handler it would get the event as the reason.
    stop: () => agent.abort(),
    // These can be click handlers, because an event has no option of theirs.
    regenerate: agent.regenerate,
    continue: agent.continue,
    takeOver: agent.takeOver,
    cancelTool: agent.cancelTool,
    retryTool: (toolCallId) => agent.retryTool(toolCallId),
    addToolOutput: ({ toolCallId, output, ...options }) =>
      agent.addToolResult(toolCallId, output, options),
    addToolApprovalResponse: ({ toolCallId, argsDigest, ...answer }) => {
      const newest = agent.getState().toolCalls.get(toolCallId)?.approval?.argsDigest
      answerApproval(agent, { toolCallId, argsDigest: argsDigest ?? newest }, answer)
    },
  }
}
