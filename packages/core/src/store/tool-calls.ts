import type { State } from '../kernel/state.ts'
import type { ToolCall } from '../kernel/tool-call.ts'
import type { InnerCalls } from './inner-calls.ts'
import { createInnerCalls } from './inner-calls.ts'
import { openCallsOf } from './open-calls.ts'
import { sameItems } from './same-items.ts'
import type { CallPlace, ToolCallView } from './tool-call-view.ts'
import { viewOfCall } from './tool-call-view.ts'

/** The tool calls of the conversation, by id, and those of the agents that run inside calls now. */
export interface ToolCalls {
  /**
   * The call as the snapshot shows it. One that ended since may be found too, and one on a branch that was left: an
   * end is final. A call of an agent inside a call is found until that agent's run ends.
   */
  readonly get: (toolCallId: string) => ToolCallView | undefined
  /** The calls that have not ended, in call order; after a call those of the agents inside it. */
  readonly active: readonly ToolCallView[]
}

/** The label of a tool by its name, and by the agent that has it if that runs inside a call. */
export type LabelOf = (toolName: string, agentId: string | undefined) => string | undefined

/** Looks for the calls of states. The same calls give the same object. `settled` are those of earlier answers, by id. */
export function createToolCalls(
  settled: ReadonlyMap<string, ToolCall>,
  labelOf: LabelOf,
): (state: State) => ToolCalls {
  const innerCallsOf = createInnerCalls()
  let last: Found | null = null
  return (state) => {
    const open = openCallsOf(state)
    const inner = innerCallsOf(state.agents)
    if (last && sameItems(last.open, open) && sameItems(last.inner, inner)) return last.calls
    const views = viewsOf({ calls: open, inner, labelOf }, {})
    const byId = new Map(views.map((view) => [view.toolCallId, view]))
    const calls: ToolCalls = {
      get: (toolCallId) => {
        const call = settled.get(toolCallId)
        return byId.get(toolCallId) ?? (call ? viewOfCall(call) : settledInside(inner, toolCallId))
      },
      active: views.filter((view) => !view.hasEnded),
    }
    last = { open, inner, calls }
    return calls
  }
}

interface Found {
  readonly open: readonly ToolCall[]
  readonly inner: readonly InnerCalls[]
  readonly calls: ToolCalls
}

interface Level {
  readonly labelOf: LabelOf
  readonly calls: readonly ToolCall[]
  readonly inner: readonly InnerCalls[]
}

// Each call, and after it the calls of the agents inside it.
function viewsOf({ calls, ...level }: Level, place: CallPlace): readonly ToolCallView[] {
  return calls.flatMap((call) => {
    const agents = level.inner.filter((agent) => agent.parentToolCallId === call.toolCallId)
    const children = childrenOf(agents)
    const label = level.labelOf(call.toolName, place.agentId)
    return [
      viewOfCall(call, { ...place, ...(children && { children }) }, label),
      ...agents.flatMap((agent) => viewsOf({ ...level, calls: agent.open }, placeIn(agent))),
    ]
  })
}

function placeIn({ agentId, parentToolCallId }: InnerCalls): CallPlace {
  return { agentId, parentToolCallId }
}

function settledInside(inner: readonly InnerCalls[], toolCallId: string): ToolCallView | undefined {
  for (const agent of inner) {
    const call = agent.settled.get(toolCallId)
    if (call) return viewOfCall(call, placeIn(agent))
  }
  return undefined
}

// An agent's own list keeps its identity: a card does not change because a call inside it went on.
function childrenOf(agents: readonly InnerCalls[]): readonly string[] | undefined {
  return agents.length > 1 ? agents.flatMap(({ ids }) => ids) : agents[0]?.ids
}
