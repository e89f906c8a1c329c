import type { Message } from '../kernel/message.ts'
import type { MessageNode, State } from '../kernel/state.ts'
import { hasEnded, noLogs, type ToolCall } from '../kernel/tool-call.ts'

/** The nodes without content. */
const bareNodes = new WeakSet<MessageNode>()

/**
 * The state with all messages and calls in their places, but only the last message has its content. It is enough to
 * decide whether an event can be the next one, and stays small however long a log is.
 */
export function withoutContent(state: State): State {
  const { head, lastRun, tips, agents } = state
  return {
    ...state,
    head: head && withBareParents(head),
    lastRun: lastRun && { ...lastRun, previous: null },
    tips: tips.map(bareNode),
    ...{ summaries: [], summary: null },
    agents: new Map(
      [...agents].map(([id, agent]) => [id, { ...agent, state: withoutContent(agent.state) }]),
    ),
  }
}

function withBareParents(node: MessageNode): MessageNode {
  const { parent } = node
  return !parent || bareNodes.has(parent) ? node : { ...node, parent: bareNode(parent) }
}

function bareNode(node: MessageNode): MessageNode {
  if (bareNodes.has(node)) return node
  const { message, calls, parent } = node
  const bare = {
    ...node,
    message: bareMessage(message),
    calls: calls.map(bareCall),
    parent: parent && bareNode(parent),
  }
  bareNodes.add(bare)
  return bare
}

function bareMessage(message: Message): Message {
  return { ...message, content: [] }
}

function bareCall(call: ToolCall): ToolCall {
  const { retry, partial: _, ...rest } = call
  const { stage } = call
  return {
    ...rest,
    argsText: '',
    logs: noLogs,
    ...(retry && { retry: { ...retry, earlier: [] } }),
    stage: hasEnded(call) ? { ...call.stage, args: null, result: { content: [] } } : stage,
  }
}
