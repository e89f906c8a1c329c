import { Component, type ReactNode } from 'react'

type Ends = readonly [anchor: Node, anchorOffset: number, focus: Node, focusOffset: number]

/**
 * Keeps what is selected in a text while it grows: React replaces what a text node says, and browsers then drop the
 * selection in it. React needs a class for this.
 */
export class KeptSelection extends Component<{ readonly children: ReactNode }> {
  override getSnapshotBeforeUpdate(): Ends | null {
    return selectedEnds()
  }

  override componentDidUpdate(_props: unknown, _state: unknown, before: Ends | null): void {
    if (before && isLost(before) && isThere(before)) getSelection()?.setBaseAndExtent(...before)
  }

  override render(): ReactNode {
    return this.props.children
  }
}

function selectedEnds(): Ends | null {
  const { anchorNode, anchorOffset, focusNode, focusOffset, isCollapsed } = getSelection() ?? {}
  if (isCollapsed !== false || !anchorNode || !focusNode) return null
  return [anchorNode, anchorOffset ?? 0, focusNode, focusOffset ?? 0]
}

function isLost(before: Ends): boolean {
  const now = selectedEnds()
  return before.some((end, at) => end !== now?.[at])
}

function isThere([anchor, anchorOffset, focus, focusOffset]: Ends): boolean {
  return holds(anchor, anchorOffset) && holds(focus, focusOffset)
}

function holds(node: Node, offset: number): boolean {
  const length = node.nodeValue?.length ?? node.childNodes.length
  return node.isConnected && offset <= length
}
