import type { RunEndReason } from '../kernel/events.ts'
import type { Message, ToolResultMessage, Usage } from '../kernel/message.ts'
import { noUsage } from '../kernel/message.ts'
import type { RunError } from '../kernel/run-error.ts'
import type { MessageNode, Queues, State } from '../kernel/state.ts'
import type { RunStatus } from '../kernel/status.ts'
import { statusOf } from '../kernel/status.ts'
import type { ToolCall } from '../kernel/tool-call.ts'
import { announcedCall } from '../kernel/tool-call.ts'
import type { ToolCallView } from './tool-call-view.ts'
import { viewOfCall } from './tool-call-view.ts'

/** A message that people read. What a tool returned is on its card, not in the list. */
export type ChatMessage = Exclude<Message, ToolResultMessage>

/** What an agent shows at one moment. A snapshot; what did not change keeps its identity. */
export interface AgentState {
  readonly status: RunStatus
  /** The current branch, oldest first, with the answer that is being written as the last. */
  readonly messages: readonly ChatMessage[]
  readonly toolCalls: ToolCalls
  /** Why the last run failed, until the next one begins. */
  readonly error: RunError | null
  /** How the last run ended; `null` while one is active and before the first. */
  readonly lastReason: RunEndReason | null
  /** What the user said that is not delivered yet. */
  readonly queues: Queues
  /** The last messages of the other branches: where `moveHead` leads back to. */
  readonly branches: readonly string[]
  /** Tokens of the run that is active, else of the last one. */
  readonly usage: Usage
}

/** The tool calls of the current branch, by id. */
export interface ToolCalls {
  /** The call as the snapshot shows it. One that ended since may be found too: an end is final. */
  readonly get: (toolCallId: string) => ToolCallView | undefined
  /** The calls that have not ended, in call order. */
  readonly active: readonly ToolCallView[]
}

/** Makes snapshots of states. Remembers the last one, so that a snapshot costs what has changed. */
export function createProjection(): (state: State) => AgentState {
  const settled = new Map<string, ToolCall>()
  let path: readonly MessageNode[] = []
  let committed: readonly ChatMessage[] = []
  let last: { readonly open: readonly ToolCall[]; readonly calls: ToolCalls } | null = null

  function follow(head: MessageNode | null): void {
    const added: MessageNode[] = []
    for (let node = head; node && path[node.depth] !== node; node = node.parent) added.push(node)
    const kept = head ? head.depth + 1 - added.length : 0
    if (added.length === 0 && kept === path.length) return
    added.reverse()
    const before = path.length
    path = [...path.slice(0, kept), ...added]
    const shown = added.flatMap(({ message }) => (message.role === 'toolResult' ? [] : [message]))
    committed = [...(kept === before ? committed : shownBefore(path, kept)), ...shown]
    for (const node of added) for (const call of node.calls) settled.set(call.toolCallId, call)
  }

  function callsOf(open: readonly ToolCall[]): ToolCalls {
    if (last && sameItems(last.open, open)) return last.calls
    const views = open.map(viewOfCall)
    const byId = new Map(views.map((view) => [view.toolCallId, view]))
    const calls: ToolCalls = {
      get: (toolCallId) => {
        const call = settled.get(toolCallId)
        return byId.get(toolCallId) ?? (call && viewOfCall(call))
      },
      active: views.filter((view) => !view.hasEnded),
    }
    last = { open, calls }
    return calls
  }

  return (state) => {
    follow(state.head)
    const { run, lastRun } = state
    const asking = run?.step.kind === 'asking' ? run.step.message : null
    return {
      status: statusOf(state),
      messages: asking ? [...committed, asking] : committed,
      toolCalls: callsOf(openCalls(state)),
      error: run ? null : (lastRun?.error ?? null),
      lastReason: run ? null : (lastRun?.reason ?? null),
      queues: state.queues,
      branches: branchesOf(state.tips),
      usage: run?.usage ?? lastRun?.usage ?? noUsage,
    }
  }
}

const named = new WeakMap<readonly MessageNode[], readonly string[]>()

function branchesOf(tips: readonly MessageNode[]): readonly string[] {
  const known = named.get(tips) ?? tips.map((tip) => tip.message.id)
  named.set(tips, known)
  return known
}

function shownBefore(path: readonly MessageNode[], length: number): readonly ChatMessage[] {
  return path
    .slice(0, length)
    .flatMap(({ message }) => (message.role === 'toolResult' ? [] : [message]))
}

const announced = new WeakMap<object, ToolCall>()

function openCalls({ run, batch }: State): readonly ToolCall[] {
  if (batch) return batch.calls
  if (run?.step.kind !== 'asking') return []
  const { id, content } = run.step.message
  return content.flatMap((part) => {
    if (part.type !== 'toolCall') return []
    const call = announced.get(part) ?? announcedCall(part, id)
    announced.set(part, call)
    return [call]
  })
}

function sameItems<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}
