import type { Agent } from '@offthread/core'
import { useAgentSelector } from '@offthread/react'
import { useMemo, useState } from 'react'
import { atOnce } from '../ui/use-some.tsx'
import { byCalls } from './by-calls.ts'

/**
 * The calls that wait for a person, a few at a time, and those that did: a card that was answered stays where
 * it is.
 */
export function useAsking(agent: Agent, ids: readonly string[]): ReadonlySet<string> {
  const [asking] = useState(() => new Set<string>())
  const select = useMemo(
    () =>
      byCalls((toolCalls) => {
        // If there are no more calls than that, all are shown.
        if (ids.length <= atOnce) return 0
        const waiting = ids.filter((id) => toolCalls.get(id)?.status === 'awaiting_approval')
        for (const id of waiting.slice(0, atOnce)) asking.add(id)
        return asking.size
      }),
    [ids, asking],
  )
  useAgentSelector(agent, select)
  return asking
}
