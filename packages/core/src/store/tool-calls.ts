import type { State } from '../kernel/state.ts'
import type { ToolCall } from '../kernel/tool-call.ts'
import type { Tool } from '../tools/definition.ts'
import { createInnerCalls, type InnerCalls } from './inner-calls.ts'
import { openCallsOf, sameItems } from './open-calls.ts'
import { type CalledTool, type CallPlace, type ToolCallView, viewOfCall } from './tool-call-view.ts'

// The `out` is needed because the compiler compares the views of tools too loosely to infer it.
/** The tool calls of the conversation, by id, and those of the agents that run inside calls now. */
export interface ToolCalls<out T extends Tool = Tool> {
  /**
   * The call as the snapshot shows it. A call that has ended since, or is on a branch that was left, may be found as
   * well, because an end is final. A call of an agent inside a call is found until that agent's run ends.
   */
  readonly get: (toolCallId: string) => ToolCallView<T> | undefined
  /** The calls that have not ended, in call order; after a call those of the agents inside it. */
  readonly active: readonly ToolCallView<T>[]
}

/** The tool of that name: of the agent, or of one that runs inside a call. */
export type FindTool = (toolName: string, agentId: string | undefined) => CalledTool | undefined

/** Finds the calls of a state. The same calls give the same object. `settled` are those of earlier answers, by id. */
export function createToolCalls(
  settled: ReadonlyMap<string, ToolCall>,
  findTool: FindTool,
): (state: State) => ToolCalls {
  const innerCallsOf = createInnerCalls()
  let last: Found | null = null
  return (state) => {
    const open = openCallsOf(state)
    const inner = innerCallsOf(state.agents)
    if (last && sameItems(last.open, open) && sameItems(last.inner, inner)) return last.calls
    const level = { calls: open, inner, findTool }
    // Made when a call is first looked for: there may be many calls, and many snapshots in which none is.
    let byId: ReadonlyMap<string, ToolCallView> | undefined
    let active: readonly ToolCallView[] | undefined
    const viewsNow = () => viewsOf(level, noPlace)
    const calls: ToolCalls = {
      get: (toolCallId) => {
        byId ??= new Map(viewsNow().map((view) => [view.toolCallId, view]))
        const shown = byId.get(toolCallId)
        if (shown) return shown
        const call = settled.get(toolCallId)
        const tool = call && findTool(call.toolName, undefined)
        return call ? viewOfCall(call, { place: noPlace, tool }) : settledInside(level, toolCallId)
      },
      get active() {
        active ??= viewsNow().filter((view) => !view.hasEnded)
        return active
      },
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

const noPlace: CallPlace = {}

interface Level {
  readonly findTool: FindTool
  readonly calls: readonly ToolCall[]
  readonly inner: readonly InnerCalls[]
}

// The view of each call, followed by those of the calls of the agents inside it.
function viewsOf({ calls, ...level }: Level, place: CallPlace): readonly ToolCallView[] {
  return calls.flatMap((call) => {
    const tool = level.findTool(call.toolName, place.agentId)
    const agents = level.inner.filter((agent) => agent.parentToolCallId === call.toolCallId)
    if (agents.length === 0) return viewOfCall(call, { place, tool })
    const children = childrenOf(agents)
    return [
      viewOfCall(call, { place: { ...place, ...(children && { children }) }, tool }),
      ...agents.flatMap((agent) => viewsOf({ ...level, calls: agent.open }, placeIn(agent))),
    ]
  })
}

function placeIn({ agentId, parentToolCallId }: InnerCalls): CallPlace {
  return { agentId, parentToolCallId }
}

function settledInside({ inner, findTool }: Level, toolCallId: string): ToolCallView | undefined {
  for (const agent of inner) {
    const call = agent.settled.get(toolCallId)
    const tool = call && findTool(call.toolName, agent.agentId)
    if (call) return viewOfCall(call, { place: placeIn(agent), tool })
  }
  return undefined
}

// An agent's own list keeps its identity: a card does not change because a call inside it went on.
function childrenOf(agents: readonly InnerCalls[]): readonly string[] | undefined {
  return agents.length > 1 ? agents.flatMap(({ ids }) => ids) : agents[0]?.ids
}
