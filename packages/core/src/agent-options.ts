import type { Environment } from './internal/environment.ts'
import type { KernelConfig, ToolInfo } from './kernel/kernel-config.ts'
import type { Model, ToolSpec } from './model/port.ts'
import type { PublishSchedule } from './store/publish.ts'
import type { Tool } from './tools/definition.ts'
import type { ToolHost } from './tools/host.ts'

/** What an agent is made of. Only `model` is required. */
export interface AgentOptions {
  readonly model: Model
  /** What the model should know before the conversation. */
  readonly system?: string
  /** Where its tools run: what `inWorkers` and `inPage` give, or several of them. */
  readonly tools?: ToolHost | readonly ToolHost[]
  /** Turns (requests to the model) for one prompt. Default 5; `null` is no limit. */
  readonly maxTurns?: number | null
  /** Calls that run at once. Default: the number of cores, at least 8. */
  readonly maxConcurrency?: number
  /** Calls of one answer that run; the rest is answered without running. Default 64. */
  readonly maxCallsPerTurn?: number
  /** Milliseconds a stopped tool has to end by itself before it is cut off. Default 250. */
  readonly abortGraceMs?: number
  /** Characters of a tool's result that the model reads. Default 10,000. */
  readonly maxToolResultChars?: number
}

/** What makes an agent repeatable in a test: its time, its ids, its frames. */
export interface AgentEnvironment extends Environment {
  readonly schedule: PublishSchedule
}

/** The options with their defaults, checked. */
export interface Settings {
  readonly model: Model
  readonly system: string
  readonly maxTurns: number | null
  readonly maxConcurrency: number
  readonly abortGraceMs: number
  readonly tools: ReadonlyMap<string, HostedTool>
  readonly toolSpecs: readonly ToolSpec[]
  readonly kernel: KernelConfig
}

export interface HostedTool {
  readonly tool: Tool
  readonly host: ToolHost
}

/** Checks options. Throws a `TypeError` that says what is wrong. */
export function settle(options: AgentOptions): Settings {
  const tools = hostedTools(options.tools ?? [])
  return {
    model: options.model,
    system: options.system ?? '',
    maxTurns: options.maxTurns === null ? null : atLeast('maxTurns', 1, options.maxTurns ?? 5),
    maxConcurrency: atLeast('maxConcurrency', 1, options.maxConcurrency ?? defaultConcurrency()),
    abortGraceMs: atLeast('abortGraceMs', 0, options.abortGraceMs ?? 250),
    tools,
    toolSpecs: [...tools.values()].map(({ tool }) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: tool.inputJsonSchema,
    })),
    kernel: {
      tools: new Map([...tools].map(([name, { tool }]) => [name, infoOf(tool)])),
      maxCallsPerTurn: atLeast('maxCallsPerTurn', 1, options.maxCallsPerTurn ?? 64),
      maxToolResultChars: atLeast('maxToolResultChars', 1, options.maxToolResultChars ?? 10_000),
    },
  }
}

function infoOf({ label, place }: Tool): ToolInfo {
  return { label, place }
}

function hostedTools(hosts: ToolHost | readonly ToolHost[]): ReadonlyMap<string, HostedTool> {
  const tools = new Map<string, HostedTool>()
  for (const host of 'open' in hosts ? [hosts] : hosts) {
    for (const tool of host.tools) {
      if (tools.has(tool.name)) throw new TypeError(`Duplicate tool name: ${tool.name}`)
      tools.set(tool.name, { tool, host })
    }
  }
  return tools
}

function atLeast(name: string, least: number, value: number): number {
  if (Number.isInteger(value) && value >= least) return value
  throw new TypeError(`${name} must be a whole number of at least ${least}; it is ${value}.`)
}

function defaultConcurrency(): number {
  return Math.max(8, globalThis.navigator?.hardwareConcurrency ?? 8)
}
