import type { Agent, AgentState, Tool } from '@offthread/core'
import { useCallback, useRef, useSyncExternalStore } from 'react'

/**
 * A part of what the agent shows. The component renders again only when the selected part changes, by `isEqual`
 * (default `Object.is`): select something whose identity holds, or pass an equality.
 *
 * @example
 * ```tsx
 * const status = useAgentSelector(agent, (state) => state.status)
 * const running = useAgentSelector(agent, (state) => state.toolCalls.active.length)
 * ```
 */
export function useAgentSelector<Selected, T extends Tool = Tool>(
  agent: Agent<T>,
  selector: (state: AgentState<T>) => Selected,
  isEqual: (a: Selected, b: Selected) => boolean = Object.is,
): Selected {
  const last = useRef<{ readonly selected: Selected } | null>(null)
  const select = useCallback(() => {
    const selected = selector(agent.getState())
    if (last.current && isEqual(last.current.selected, selected)) return last.current.selected
    last.current = { selected }
    return selected
  }, [agent, selector, isEqual])
  return useSyncExternalStore(agent.store.subscribe, select, select)
}
