import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { AgentOptions } from './agent-options.ts'
import type { Part } from './kernel/message.ts'
import type { Tool, ToolSchema } from './tools/definition.ts'
import { defineTool } from './tools/definition.ts'
import type { ToolHost } from './tools/host.ts'

/** What an agent inside a call is made of. What is left out is as in the agent around it, but for its tools and system. */
export type SubAgentOptions = Partial<
  Omit<AgentOptions, 'storage' | 'sessionId' | 'toolMode' | 'approvalMode' | 'maxConcurrency'>
>

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

/** A host whose calls are agents. Made by `agentTool`. */
export interface AgentHost extends ToolHost {
  readonly subAgent: {
    readonly options: SubAgentOptions
    prompt(this: void, input: unknown): string | readonly Part[]
  }
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
    subAgent: { options: agent, prompt },
    check: () => Promise.resolve(),
    open: () => {
      throw new TypeError(`Only an agent can run "${name}". Pass agentTool(…) to createAgent.`)
    },
  }
}

export function isAgentHost(host: ToolHost): host is AgentHost {
  return 'subAgent' in host
}
