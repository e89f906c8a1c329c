import type { WorldRules } from '../../packages/core/rules/rules.ts'
import { agentTool } from '../../packages/core/src/agent/agent-tool.ts'
import type { AgentEvent } from '../../packages/core/src/kernel/events.ts'
import type { Model } from '../../packages/core/src/model/port.ts'
import type { ToolHost } from '../../packages/core/src/tools/host.ts'
import type { AnswerPlan, SubPlan } from '../plan.ts'
import { numbered } from './tools.ts'
import type { World } from './world.ts'

/** What the sub-agents are made from. */
export interface SubScene {
  readonly world: World
  readonly rules: (note: (rules: WorldRules) => void) => void
  readonly modelOf: (nextAnswer: () => AnswerPlan | undefined) => Model
  /** The tools of each sub-agent: none of them needs answers of people. */
  readonly tools: readonly ToolHost[]
}

/** The tool `delegate`, whose calls run sub-agents; these have `deeper`, whose calls run sub-agents again. */
export function createSubAgents(sub: SubPlan, scene: SubScene): ToolHost {
  const { world, modelOf, tools } = scene
  const { answers, deeper, ...limits } = sub
  const prompt = (input: { readonly n: number }): string => promptOf(input, scene)
  const shared = { description: 'Has an agent of its own.', inputSchema: numbered, prompt }
  const nested = agentTool({
    ...shared,
    name: 'deeper',
    agent: { tools, model: modelOf(() => deeper[world.used.deeper++]) },
  })
  return agentTool({
    ...shared,
    name: 'delegate',
    agent: {
      ...limits,
      tools: [...tools, nested],
      model: modelOf(() => answers[world.used.inner++]),
    },
  })
}

function promptOf({ n }: { readonly n: number }, { world, rules }: SubScene): string {
  if (world.calls[n]?.does !== 'throws') return `Do ${n}.`
  world.inject('tool_throws')
  const toolCallId = world.desk.callNumbered(n) ?? 'none'
  const executionId = world.desk.executionOf(toolCallId)
  rules((judge) => judge.replied({ toolCallId, executionId, genuine: true, kind: 'threw' }))
  throw new Error('The prompt is unknown.')
}

/** The end of a sub-agent is what comes back from the call's code. */
export function reportSubEnd(event: AgentEvent, { desk }: World, rules: SubScene['rules']): void {
  if (event.type !== 'agent_end' || event.parentToolCallId === undefined) return
  const { reason, agentId = '', parentToolCallId: toolCallId } = event
  const text = desk.lastText(agentId)
  // A sub-agent that ends without text because its turns are used up has failed.
  const isGood = reason === 'stop' || reason === 'terminated'
  const isEnough = reason === 'max_turns' && text !== ''
  const how =
    isGood || isEnough ? ({ kind: 'returned', text } as const) : ({ kind: 'threw' } as const)
  const executionId = desk.executionOf(toolCallId)
  rules((judge) => judge.replied({ toolCallId, executionId, genuine: true, ...how }))
}
