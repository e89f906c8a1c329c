import type { EventOf } from './events.ts'
import { withRun, withStep } from './fold-run.ts'
import type { MessageNode, State, Summary } from './state.ts'

type HistoryEvent = EventOf<'queue_update' | 'head_moved' | 'compaction_start' | 'compaction_end'>

/** The state after an event about queues, branches or summaries. */
export function foldHistory(state: State, event: HistoryEvent): State {
  switch (event.type) {
    case 'queue_update': {
      const { steering, followUp } = event
      return { ...state, queues: { steering, followUp } }
    }
    case 'head_moved':
      return moveHead(state, event.messageId)
    case 'compaction_start':
      return withRun(state, (run) => ({
        ...withStep(run, { kind: 'compacting' }),
        compactedInTurn: run.turns,
      }))
    case 'compaction_end':
      return endCompaction(state, event)
  }
}

/** The message with this id, on any branch. */
export function findNode({ head, tips }: State, messageId: string): MessageNode | null {
  for (const tip of [head, ...tips]) {
    for (let node = tip; node; node = node.parent) if (node.message.id === messageId) return node
  }
  return null
}

/** Whether a message is on the path from the root to a node, the node included. */
export function isOnPath(head: MessageNode | null, messageId: string): boolean {
  for (let node = head; node; node = node.parent) if (node.message.id === messageId) return true
  return false
}

function moveHead(state: State, messageId: string | null): State {
  const head = messageId === null ? null : findNode(state, messageId)
  if (messageId !== null && !head) return state
  const { head: left, summaries } = state
  const others = state.tips.filter((tip) => !isOnPath(head, tip.message.id))
  // The old head becomes the tip of a branch, unless another branch leads through it.
  const isEnd = left && ![head, ...others].some((tip) => isOnPath(tip, left.message.id))
  const tips = isEnd ? [...others, left] : others
  const summary = summaries.findLast((one) => isOnPath(head, one.firstKeptMessageId)) ?? null
  return { ...state, head, tips, summary }
}

function endCompaction(state: State, { result }: EventOf<'compaction_end'>): State {
  const ended = withRun(state, (run) =>
    run.step.kind === 'compacting' ? withStep(run, { kind: 'collecting' }) : run,
  )
  const kept = result && findNode(state, result.firstKeptMessageId)
  if (!result || !kept) return ended
  const summary: Summary = {
    text: result.summary,
    firstKeptMessageId: result.firstKeptMessageId,
    coveredChars: kept.parent?.chars ?? 0,
  }
  return { ...ended, summary, summaries: [...state.summaries, summary] }
}
