import type { MessageNode } from '../kernel/state.ts'

/** The change of a branch since the last look. */
export interface BranchStep {
  /** The whole branch, oldest first. The same list as before if nothing has changed. */
  readonly path: readonly MessageNode[]
  /** How many of its messages were there before. */
  readonly kept: number
  readonly added: readonly MessageNode[]
}

/** Follows the end of a branch wherever it moves. Each look costs only as much as has changed since the last one. */
export function createBranchFollower(): (head: MessageNode | null) => BranchStep {
  let path: readonly MessageNode[] = []
  return (head) => {
    const added: MessageNode[] = []
    for (let node = head; node && path[node.depth] !== node; node = node.parent) added.push(node)
    const kept = head ? head.depth + 1 - added.length : 0
    if (added.length > 0 || kept !== path.length) {
      added.reverse()
      path = [...path.slice(0, kept), ...added]
    }
    return { path, kept, added }
  }
}
