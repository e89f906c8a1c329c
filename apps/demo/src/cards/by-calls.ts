import type { AgentState } from '@offthread/core'

/** A selector of what the calls say. It looks at them again only when one has changed: there may be a thousand. */
export function byCalls<Selected>(
  select: (toolCalls: AgentState['toolCalls']) => Selected,
): (state: AgentState) => Selected {
  let last: { readonly toolCalls: AgentState['toolCalls']; readonly selected: Selected } | null =
    null
  return ({ toolCalls }) => {
    if (last?.toolCalls !== toolCalls) last = { toolCalls, selected: select(toolCalls) }
    return last.selected
  }
}

/** Whether two small values are the same: a selector makes them again each time. */
export function isSameJson(before: object, after: object): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}
