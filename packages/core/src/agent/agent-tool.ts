import type { StandardSchemaV1 } from '@standard-schema/spec'
import { ofType } from '../internal/check-value.ts'
import { defined } from '../internal/defined.ts'
import type { Part } from '../kernel/message.ts'
import { checkTools } from '../tools/check-tools.ts'
import { defineTool, type Tool } from '../tools/definition.ts'
import type { ToolHost } from '../tools/host.ts'
import type { ToolSchema } from '../tools/tool-schema.ts'
import type { ToolsOf } from '../tools/tool-types.ts'
import { type AgentHost, validateAgents } from './agent-host.ts'
import type { ToolHosts } from './options.ts'
import { optionsOf } from './options-of.ts'
import { innerSettings, openSubAgent, type SubAgentOptions } from './sub-agent.ts'

/** A tool whose calls are answered by an agent of their own. */
export interface AgentToolOptions<
  Name extends string,
  Input extends ToolSchema,
  Hosts extends ToolHosts = ToolHosts,
> {
  readonly name: Name
  readonly label?: string
  readonly description: string
  readonly inputSchema: Input
  /** A person is asked before each call. Default `false`. */
  readonly needsApproval?: boolean
  /** `'sequential'`: no other call of the answer runs at the same time. Default `'parallel'`. */
  readonly executionMode?: 'parallel' | 'sequential'
  /** Milliseconds a call may take. Default: no limit but those of the agent. */
  readonly timeoutMs?: number | null
  /** The prompt of the agent. */
  prompt(this: void, input: StandardSchemaV1.InferOutput<Input>): string | readonly Part[]
  readonly agent?: SubAgentOptions<Hosts>
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
export function agentTool<
  const Name extends string,
  Input extends ToolSchema,
  const Hosts extends ToolHosts = readonly [],
>(
  options: AgentToolOptions<Name, Input, Hosts>,
): ToolHost<Tool<Name, Input, undefined> | ToolsOf<Hosts>>
export function agentTool(options: AgentToolOptions<string, ToolSchema>): AgentHost {
  const { name, label, description, inputSchema, prompt, agent = {} } = options
  const { needsApproval = false, executionMode = 'parallel', timeoutMs = null } = options
  ofType('function', 'prompt', prompt)
  optionsOf(agent, 'agent')
  // There is no timeout by default, because the turns of the agent and the timeouts of its tools limit it.
  const tool: Tool = defineTool({
    ...{ name, description, inputSchema, place: 'page', needsApproval, executionMode, timeoutMs },
    ...defined({ label }),
  })
  return {
    tools: [tool],
    hasModel: agent.model !== undefined,
    validate: (outer) =>
      validateAgents(innerSettings(outer, agent, {}), { ...outer, ...defined(agent) }),
    openIn: (around) => openSubAgent({ tool, options: agent, prompt }, around),
    check: () => checkTools(agent.tools ?? []),
    open: () => {
      throw new TypeError(`Only an agent can run "${name}". Pass agentTool(…) to createAgent.`)
    },
  }
}
