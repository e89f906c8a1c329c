import type { Agent, AgentState, Tool } from '@offthread/core'
import { useMemo, useRef, useSyncExternalStore } from 'react'

/**
 * A part of what the agent shows. The component renders again only when the selected part changes, by `isEqual`
 * (default `Object.is`): select an object that keeps its identity, or pass an equality.
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
  const [select, selectInitial] = useMemo(() => {
    const selecting = (getState: () => AgentState<T>) => () => {
      const selected = selector(getState())
      if (last.current && isEqual(last.current.selected, selected)) return last.current.selected
      last.current = { selected }
      return selected
    }
    return [selecting(agent.getState), selecting(agent.store.getInitialState)]
  }, [agent, selector, isEqual])
  return useSyncExternalStore(agent.store.subscribe, select, selectInitial)
}
