import type { Tool } from '../tools/definition.ts'
import type { Execution, ToolHost } from '../tools/host.ts'
import type { EffectPorts } from './ports.ts'
import type { GivenOptions, Settings } from './settings.ts'

/** A host whose calls are agents. Made by `agentTool`. `T`: its tool, and those of its agents. */
export interface AgentHost<T extends Tool = Tool> extends ToolHost<T> {
  /** Whether its agents have a model of their own, and not that of the agent around them. */
  readonly hasModel: boolean
  /** Throws a `TypeError` if its agents could not be made inside an agent with these options. */
  readonly validate: (outer: GivenOptions) => void
  /** One call: an agent that writes into the log of the agent around it. */
  readonly openIn: (around: EffectPorts) => Execution
}

/** Throws a `TypeError` if a call of these tools could not create its agent, before a model makes such a call. */
export function validateAgents({ tools }: Settings, outer: GivenOptions): void {
  const hosts = new Set([...tools.values()].map(({ host }) => host))
  for (const host of hosts) if (isAgentHost(host)) host.validate(outer)
}

export function isAgentHost(host: ToolHost): host is AgentHost {
  return 'openIn' in host
}
