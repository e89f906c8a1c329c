import type { Agent, AgentState } from '@offthread/core'
import { useAgentSelector } from '@offthread/react'
import { Fragment, memo, type ReactNode, useCallback } from 'react'
import { useSome } from '../ui/use-some.tsx'
import { countCalls, countsText } from './call-counts.ts'
import { MiniWaterfall, type MiniWaterfallProps } from './mini-waterfall.tsx'
import { useAsking } from './use-asking.ts'

interface ToolGroupProps {
  readonly agent: Agent
  readonly ids: readonly string[]
  /** Makes the card of a call. The same function each time, so that the group renders only for other calls. */
  readonly renderCard: (toolCallId: string) => ReactNode
  /** What is shown is past: no clock runs. */
  readonly isReplay?: boolean
}

/** The calls that one answer makes together, in call order. */
export const ToolGroup = memo(
  function ToolGroup({ agent, ids, renderCard, isReplay = false }: ToolGroupProps): ReactNode {
    const asking = useAsking(agent, ids)
    const { some, more } = useSome(ids, 'call', (id) => asking.has(id))
    return (
      <div className="tool-group">
        {ids.length > 1 && <GroupHeader agent={agent} ids={ids} isReplay={isReplay} />}
        <ul className="card-list" aria-label="Tool calls">
          {some.map((id) => (
            <Fragment key={id}>{renderCard(id)}</Fragment>
          ))}
        </ul>
        {more}
      </div>
    )
  },
  (before, after) =>
    before.agent === after.agent &&
    before.renderCard === after.renderCard &&
    before.isReplay === after.isReplay &&
    sameIds(before.ids, after.ids),
)

function GroupHeader({ agent, ids, isReplay }: MiniWaterfallProps): ReactNode {
  const select = useCallback((state: AgentState) => countsText(countCalls(state, ids)), [ids])
  return (
    <div className="group-header">
      <p>{useAgentSelector(agent, select)}</p>
      <MiniWaterfall agent={agent} ids={ids} isReplay={isReplay} />
    </div>
  )
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index])
}
