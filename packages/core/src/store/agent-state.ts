import { type Message, noUsage, type ToolResultMessage, type Usage } from '../kernel/message.ts'
import type { RunEndReason } from '../kernel/run-end-reason.ts'
import type { RunError } from '../kernel/run-error.ts'
import {
  type MessageNode,
  openAnswerIn,
  type PendingRetry,
  type Queues,
  type State,
} from '../kernel/state.ts'
import type { RunStatus } from '../kernel/status.ts'
import type { ToolCall } from '../kernel/tool-call.ts'
import type { Lasting, StorageErrorKind } from '../storage/port.ts'
import type { Tool } from '../tools/definition.ts'
import { type Branches, createBranches } from './branches.ts'
import { type Can, createCan } from './can.ts'
import { createEndedRuns, type EndedRuns } from './ended-runs.ts'
import { createBranchFollower } from './follow-branch.ts'
import { shownStatus } from './shown-status.ts'
import { createToolCalls, type FindTool, type ToolCalls } from './tool-calls.ts'

/** A message that people read. What a tool returned is on its card, not in the list. */
export type ChatMessage = Exclude<Message, ToolResultMessage>

/**
 * What an agent may do with its session: write it; follow another tab that writes it and does what this one asks for; or
 * only show it, because the page ended twice while it opened the session, or because of what `storage` says.
 */
type Access = 'owner' | 'follower' | 'read-only'

/**
 * Where the session is kept, or why what comes now is not stored.
 *
 * - `'memory'`: it ends with the page. `'best-effort'`: stored, until the browser needs the space. `'persistent'`: stored,
 *   until it is deleted on purpose.
 * - `'opening'`: it is being read.
 * - `'offline'`: on this device only, for the server of the storage is away. It has the rest when it is back.
 * - `'full'`: there is no space. What comes waits in memory and is stored once there is some; no call begins until then.
 * - any other kind of a `StorageError`: nothing is written any more, and what is stored stays as it is.
 */
type StorageState = 'opening' | 'offline' | Lasting | StorageErrorKind

/**
 * A command that was left to the owner of the session and refused there, or the work of an owner that had no connection
 * to the server.
 */
interface RefusedCommand {
  /** The name of the command. `'catch_up'`: what was written without the server. */
  readonly command: string
  /** The message of the command's error, or why the server does not take what was written. */
  readonly message: string
  /** The session in which that work is kept; it can be opened. */
  readonly keptAs?: string
}

/** The parts of a snapshot that are not in the log. */
export type Shown = Partial<Pick<AgentState, 'access' | 'storage' | 'refused'>>

/** The state of an agent at one moment. A snapshot: objects that did not change keep their identity. */
export interface AgentState<T extends Tool = Tool> {
  readonly status: RunStatus
  /** What the agent may do with its session. Without a storage it is `'owner'`. */
  readonly access: Access
  /**
   * What was refused last, and why. One of:
   *
   * - a command without an answer of its own (`steer`, `followUp`, `abort`, …), refused by the owner of the session;
   * - a command of any kind that was given here when another agent owned the session already, and was lost;
   * - the work of this owner without its server, because the session went on elsewhere, or the server does not take it.
   *
   * `null` again with the next command, or once the server takes the work.
   */
  readonly refused: RefusedCommand | null
  /** Where the session is kept, or why what comes now is not stored. Without a storage it is `'memory'`. */
  readonly storage: StorageState
  /** A run is active: `prompt` is refused, and `abort` has something to stop. Also while the run waits for a person. */
  readonly isActive: boolean
  /** Which commands would be taken now. */
  readonly can: Can
  /** When the active run began, in epoch milliseconds; `null` without one. */
  readonly startedAt: number | null
  /** The attempt that follows a failed request, until that is answered or fails for good. */
  readonly retry: PendingRetry | null
  /** The current branch, oldest first, with the answer that is being written as the last. */
  readonly messages: readonly ChatMessage[]
  readonly toolCalls: ToolCalls<T>
  /** Why the last run failed, was refused or ran out of time, until the next one begins. */
  readonly error: RunError | null
  /** How the last run ended; `null` while one is active and before the first. */
  readonly lastReason: RunEndReason | null
  /** How each run of the session ended, also after a reload. */
  readonly runs: EndedRuns
  /** The user's messages that are not delivered yet. */
  readonly queues: Queues
  /** The other branches of the conversation, and the ways back to them. */
  readonly branches: Branches
  /** Tokens of the run that is active, else of the last one. */
  readonly usage: Usage
  /** The status of the output that the active or last run was asked for; `null` if it was asked for none. */
  readonly output: OutputStatus | null
}

/** `awaited`: not there yet. `there`: the last answer fits. `missing`: the run ended without it. */
type OutputStatus = 'awaited' | 'there' | 'missing'

/**
 * Makes snapshots of states. Remembers the last one, so that the cost depends on what has changed. `findTool`: facts
 * about tools that are not in the log.
 */
export function createProjection(
  findTool: FindTool,
): (state: State) => Omit<AgentState, keyof Shown> {
  const settled = new Map<string, ToolCall>()
  const toolCallsOf = createToolCalls(settled, findTool)
  const endedRunsOf = createEndedRuns()
  const followBranch = createBranchFollower()
  const branchesIn = createBranches()
  const canIn = createCan()
  let length = 0
  let committed: readonly ChatMessage[] = []

  function follow(head: MessageNode | null): void {
    const { path, kept, added } = followBranch(head)
    if (added.length === 0 && kept === length) return
    committed = [...(kept === length ? committed : shownIn(path.slice(0, kept))), ...shownIn(added)]
    length = path.length
    for (const node of added) for (const call of node.calls) settled.set(call.toolCallId, call)
  }

  return (state) => {
    follow(state.head)
    const { run, lastRun } = state
    const asking = openAnswerIn(state)
    return {
      status: shownStatus(state),
      isActive: run !== null,
      can: canIn(state),
      startedAt: run?.startedAt ?? null,
      retry: run?.retry?.pending ?? null,
      messages: asking ? [...committed, asking] : committed,
      toolCalls: toolCallsOf(state),
      error: run ? null : (lastRun?.error ?? null),
      lastReason: run ? null : (lastRun?.reason ?? null),
      runs: endedRunsOf(lastRun),
      queues: state.queues,
      branches: branchesIn(state),
      usage: run?.usage ?? lastRun?.usage ?? noUsage,
      output: outputStatusOf(state),
    }
  }
}

function outputStatusOf({ run, lastOutput }: State): OutputStatus | null {
  if (run) return run.output && 'awaited'
  return lastOutput && (lastOutput.isMissing ? 'missing' : 'there')
}

function shownIn(nodes: readonly MessageNode[]): readonly ChatMessage[] {
  return nodes.map(({ message }) => message).filter((message) => message.role !== 'toolResult')
}
