import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { AgentHost } from './agent-host.ts'
import type { SubAgentOptions } from './agent-sub.ts'
import { openSubAgent } from './agent-sub.ts'
import type { Part } from './kernel/message.ts'
import type { Tool, ToolSchema } from './tools/definition.ts'
import { defineTool } from './tools/definition.ts'

/** A tool whose calls are answered by an agent of their own. */
export interface AgentToolOptions<Name extends string, Input extends ToolSchema> {
  readonly name: Name
  readonly label?: string
  readonly description: string
  readonly inputSchema: Input
  /** What the agent is asked. */
  prompt(this: void, input: StandardSchemaV1.InferOutput<Input>): string | readonly Part[]
  readonly agent?: SubAgentOptions
}

/**
 * A tool that is an agent: each call is a run of its own, with its own conversation and tools, and its last
 * answer is the result. Its events are in the same log, with `agentId` and `parentToolCallId`. Stopping the call
 * stops it; what it uses counts for the run around it, whose budget is its budget, too.
 *
 * Throws a `TypeError` as `defineTool` does.
 *
 * @example
 * ```ts
 * const research = agentTool({
 *   name: 'research',
 *   description: 'Looks something up in the documents.',
 *   inputSchema: z.object({ question: z.string() }),
 *   prompt: ({ question }) => question,
 *   agent: { system: 'Answer from the documents only.', tools: documentTools },
 * })
 * const agent = createAgent({ model, tools: [tools, research] })
 * ```
 */
export function agentTool<const Name extends string, Input extends ToolSchema>(
  options: AgentToolOptions<Name, Input>,
): AgentHost {
  const { name, label, description, inputSchema, prompt, agent = {} } = options
  // It ends by its turns and by its own tools' timeouts.
  const tool: Tool = defineTool({
    name,
    ...(label !== undefined && { label }),
    description,
    inputSchema,
    place: 'page',
    timeoutMs: null,
  })
  return {
    tools: [tool],
    hasModel: agent.model !== undefined,
    openIn: (around) => openSubAgent({ tool, options: agent, prompt }, around),
    check: () => Promise.resolve(),
    open: () => {
      throw new TypeError(`Only an agent can run "${name}". Pass agentTool(…) to createAgent.`)
    },
  }
}
