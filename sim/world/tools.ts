import { type ToolRule, toolRuleOf } from '../../packages/core/rules/rules.ts'
import { defineTool, type Tool } from '../../packages/core/src/tools/definition.ts'
import type { ToolSchema } from '../../packages/core/src/tools/tool-schema.ts'

/**
 * The tools of the simulated world. Each takes `{ n }`, the number of the call in the plan, by which its worker
 * finds its behaviour. They are defined once, because a definition has no state.
 */

/** The time limit of each tool but `forever`, in milliseconds. */
export const toolTimeoutMs = 5000

/** What every tool takes: the number of its call. */
export const numbered: ToolSchema<{ n: number }> = {
  '~standard': {
    version: 1,
    vendor: 'sim',
    validate: (value) =>
      isNumbered(value) ? { value } : { issues: [{ path: ['n'], message: 'must be a number' }] },
    jsonSchema: {
      input: () => ({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }),
      output: () => ({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }),
    },
  },
}

function isNumbered(value: unknown): value is { n: number } {
  return typeof value === 'object' && value !== null && 'n' in value && typeof value.n === 'number'
}

const shared = {
  description: 'Does what the plan says.',
  inputSchema: numbered,
  timeoutMs: toolTimeoutMs,
}

export const workerTools: readonly Tool[] = [
  defineTool({ ...shared, name: 'work' }),
  defineTool({ ...shared, name: 'forever', timeoutMs: null }),
  defineTool({
    ...shared,
    name: 'alone',
    executionMode: 'sequential',
    retry: { maxAttempts: 2, baseMs: 100, capMs: 400 },
  }),
  defineTool({ ...shared, name: 'ask', needsApproval: true }),
  defineTool({
    ...shared,
    name: 'repeat',
    idempotent: true,
    effects: 'none',
    onInterrupt: 'rerun',
  }),
  defineTool({
    ...shared,
    name: 'retry',
    idempotent: true,
    retry: { maxAttempts: 3, baseMs: 100, capMs: 400 },
  }),
]

/** Answered by the user. */
export const clientTools: readonly Tool[] = [
  defineTool({ ...shared, name: 'client', place: 'client' }),
]

/** Runs on the page itself. */
export const pageTool: Tool<'page', ToolSchema<{ n: number }>> = defineTool({
  ...shared,
  name: 'page',
  place: 'page',
})

/** Runs on the page, too. It can say what became of a call that was cut off. */
export const verifiedTool: Tool<'verify', ToolSchema<{ n: number }>> = defineTool({
  ...shared,
  name: 'verify',
  place: 'page',
  onInterrupt: 'check',
})

/** The options of these tools that the rules depend on. */
export const toolRules: { readonly [name: string]: ToolRule } = {
  ...Object.fromEntries(
    [...workerTools, ...clientTools, pageTool, verifiedTool].map((tool) => [
      tool.name,
      toolRuleOf(tool),
    ]),
  ),
  fussy: { timeoutMs: toolTimeoutMs },
  delegate: { timeoutMs: null, isAgent: true },
  deeper: { timeoutMs: null, isAgent: true },
}

/** Texts that workers send and no model may read. */
export const unseenTexts: readonly string[] = ['half ', 'on it', 'line ', 'unseen']
