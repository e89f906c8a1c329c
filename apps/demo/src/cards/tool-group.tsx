import type { AgentState } from '@offthread/core'
import { useAgentSelector } from '@offthread/react'
import { memo, type ReactNode, useCallback } from 'react'
import { useSession } from '../session.ts'
import { useSome } from '../ui/use-some.tsx'
import { countCalls, countsText } from './call-counts.ts'
import { MiniWaterfall } from './mini-waterfall.tsx'
import { ToolCard } from './tool-card.tsx'
import { useAsking } from './use-asking.ts'

interface ToolGroupProps {
  readonly ids: readonly string[]
}

/** The calls that one answer makes together, in call order. */
export const ToolGroup = memo(
  function ToolGroup({ ids }: ToolGroupProps): ReactNode {
    const asking = useAsking(ids)
    const { some, more } = useSome(ids, 'call', (id) => asking.has(id))
    return (
      <div className="tool-group">
        {ids.length > 1 && <GroupHeader ids={ids} />}
        <ul className="card-list" aria-label="Tool calls">
          {some.map((id) => (
            <ToolCard key={id} toolCallId={id} />
          ))}
        </ul>
        {more}
      </div>
    )
  },
  (before, after) => sameIds(before.ids, after.ids),
)

function GroupHeader({ ids }: { readonly ids: readonly string[] }): ReactNode {
  const { agent } = useSession()
  const select = useCallback((state: AgentState) => countsText(countCalls(state, ids)), [ids])
  return (
    <div className="group-header">
      <p>{useAgentSelector(agent, select)}</p>
      <MiniWaterfall ids={ids} />
    </div>
  )
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index])
}
