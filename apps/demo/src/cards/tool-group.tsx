import type { Agent, AgentState } from '@offthread/core'
import { useAgentSelector } from '@offthread/react'
import { Fragment, memo, type ReactNode, useCallback, useId, useState } from 'react'
import { useSome } from '../ui/use-some.tsx'
import { GroupHeader } from './group-header.tsx'
import { useAsking } from './use-asking.ts'

interface ToolGroupProps {
  readonly agent: Agent
  readonly ids: readonly string[]
  /** Makes the card of a call. The same function each time, so that the group renders only for other calls. */
  readonly renderCard: (toolCallId: string) => ReactNode
  /** Whether it is shown in a replay: no clock runs. */
  readonly isReplay?: boolean
}

/**
 * The calls that one answer makes together, in call order. When the next question is asked the group folds: it then shows
 * only what did not succeed or is open, as its styles say.
 */
export const ToolGroup = memo(
  function ToolGroup(props: ToolGroupProps): ReactNode {
    const { agent, ids, renderCard, isReplay = false } = props
    const asking = useAsking(agent, ids)
    const { some, more } = useSome(ids, 'call', (id) => asking.has(id))
    const [choice, setChoice] = useState<boolean | null>(null)
    const isPast = useIsPast(agent, ids)
    const isFolded = choice ?? isPast
    const list = useId()
    return (
      <div className="tool-group">
        {ids.length > 1 && (
          <GroupHeader
            agent={agent}
            ids={ids}
            isReplay={isReplay}
            toggle={{ isFolded, list, onToggle: () => setChoice(!isFolded) }}
          />
        )}
        <ul id={list} className="card-list" aria-label="Tool calls" data-folded={isFolded}>
          {some.map((id) => (
            <Fragment key={id}>{renderCard(id)}</Fragment>
          ))}
        </ul>
        {!isFolded && more}
      </div>
    )
  },
  (before, after) =>
    before.agent === after.agent &&
    before.renderCard === after.renderCard &&
    before.isReplay === after.isReplay &&
    sameIds(before.ids, after.ids),
)

/** Whether these are calls for an earlier question, and more than one. */
function useIsPast(agent: Agent, ids: readonly string[]): boolean {
  const [first] = ids
  const isGroup = ids.length > 1
  const select = useCallback(
    ({ messages, toolCalls }: AgentState): boolean => {
      const question = messages.findLastIndex(({ role }) => role === 'user')
      const call = isGroup && first !== undefined ? toolCalls.get(first) : undefined
      return call !== undefined && !messages.slice(question).some(({ id }) => id === call.messageId)
    },
    [first, isGroup],
  )
  return useAgentSelector(agent, select)
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index])
}
