import { defineTool, type Tool } from '../../packages/core/src/tools/definition.ts'
import type { ToolSchema } from '../../packages/core/src/tools/tool-schema.ts'
import type { CallPlan, Plan } from '../plan.ts'
import { type HookScene, perform } from './hooks.ts'
import { numbered, toolTimeoutMs } from './tools.ts'

export type PageTool = Tool<string, ToolSchema<{ n: number }>>

/** Whether a plan has calls of `fussy`; other plans do without the tool. */
export function hasFussy({ answers, sub }: Plan): boolean {
  const all = sub ? [...answers, ...sub.answers, ...sub.deeper] : answers
  return all.some(({ parts }) => parts.some((part) => 'call' in part && part.call === 'fussy'))
}

/** A tool on the page whose validator and `needsApproval` do what the plan says of the call. */
export function createFussy(
  planOf: (n: number) => CallPlan | undefined,
  scene: HookScene,
): PageTool {
  const standard = numbered['~standard']
  const inputSchema: ToolSchema<{ n: number }> = {
    '~standard': {
      ...standard,
      validate: async (value) => {
        const checked = await standard.validate(value)
        if (!checked.issues) await perform(checksOf(checked.value.n).validates, scene)
        return checked
      },
    },
  }
  const checksOf = (n: number) =>
    planOf(n)?.checks ?? ({ validates: 'lets', asks: 'lets' } as const)
  return defineTool({
    name: 'fussy',
    description: 'Looks closely.',
    place: 'page',
    timeoutMs: toolTimeoutMs,
    inputSchema,
    needsApproval: async ({ n }) => {
      const { asks } = checksOf(n)
      if (asks !== 'yes') await perform(asks, scene)
      return asks === 'yes'
    },
  })
}
