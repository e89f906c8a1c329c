import { findNode } from '../kernel/fold-history.ts'
import type { MessageNode, State } from '../kernel/state.ts'

/** The branches of the conversation. A new object when one was added or left. */
export interface Branches {
  /** The last messages of the other branches: where `moveHead` leads back to. */
  readonly tips: readonly string[]
  /**
   * The message and all that were written in its place by an edit or a `regenerate`, oldest first. An answer of which a call
   * was retried is there once for each of the branches that go on from it. Empty if there is only one.
   */
  readonly get: (messageId: string) => readonly Branch[]
}

/** One of several messages in the same place, or one message before several results of its calls. */
interface Branch {
  readonly messageId: string
  /** The last message of the branch that leads through it: `moveHead` to it shows that branch. */
  readonly headId: string
  /** Whether it is on the branch that is shown. */
  readonly isShown: boolean
}

/** Follows the branches of states. */
export function createBranches(): (state: State) => Branches {
  let last: Pick<State, 'head' | 'tips'> | null = null
  let shown: Branches = { tips: [], get: () => [] }
  return (state) => {
    // As long as there is no other branch, a new message makes no difference.
    const isSame = last?.tips === state.tips && (last.head === state.head || !state.tips.length)
    if (!isSame) {
      shown = {
        tips: state.tips.map((tip) => tip.message.id),
        get: (messageId) => branchesAt(state, messageId),
      }
    }
    last = state
    return shown
  }
}

function branchesAt(state: State, messageId: string): readonly Branch[] {
  const node = state.tips.length > 0 ? findNode(state, messageId) : null
  if (!node) return []
  const heads = new Map<MessageNode, string>()
  let shown: MessageNode | null = null
  // Later entries win: of several branches through a message, the shown one counts, or else the one that was left last.
  for (const tip of [...state.tips, state.head]) {
    let at = tip
    while (at && at.depth > node.depth) at = at.parent
    if (tip && at && at.parent === node.parent) heads.set(at, tip.message.id)
    shown = at
  }
  if (heads.size < 2) return []
  return [...heads]
    .sort(([a], [b]) => a.seq - b.seq)
    .map(([one, headId]) => ({ messageId: one.message.id, headId, isShown: one === shown }))
}
