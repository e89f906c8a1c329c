import { atLeast, checkFunctions, ofType, oneOf } from '../internal/check-value.ts'
import { defined } from '../internal/defined.ts'
import type { Environment } from '../internal/environment.ts'
import { isList, isObject } from '../internal/json.ts'
import type { ToolExecution } from '../kernel/events.ts'
import type {
  Budget,
  CompactionLimits,
  KernelConfig,
  LoopLimits,
  RetryPolicy,
  ToolInfo,
} from '../kernel/kernel-config.ts'
import type { ModelIdentity } from '../kernel/message.ts'
import { identityOf, type Model, type ToolSpec } from '../model/port.ts'
import type { Summarize } from '../runtime/compact.ts'
import type { AgentHooks, HookPorts } from '../runtime/hooks.ts'
import type { Tool } from '../tools/definition.ts'
import type { ToolHost } from '../tools/host.ts'
import type { AgentOptions, CompactionOptions, RetryOptions } from './options.ts'
import { optionsOf } from './options-of.ts'

/** Options as an app may give them: an option that is `undefined` has its default, as if it was left out. */
export type GivenOptions = {
  readonly [Name in keyof AgentOptions]?: AgentOptions[Name] | undefined
}

/** The options with their defaults, checked. */
export interface Settings {
  /** The options as the app gave them. */
  readonly options: GivenOptions
  /** `null` where only calls are run. */
  readonly model: Model | null
  readonly system: string
  readonly maxConcurrency: number
  readonly maxArtifactBytes: number
  readonly abortGraceMs: number
  readonly hooks: readonly AgentHooks[]
  readonly hookTimeoutMs: number
  readonly streamIdleMs: number | null
  readonly summarize: Summarize | null
  readonly toolEvents: boolean
  readonly resume: 'ask' | 'auto'
  readonly updateIntervalMs: number
  readonly tools: ReadonlyMap<string, HostedTool>
  readonly toolSpecs: readonly ToolSpec[]
  readonly kernel: KernelConfig
}

export interface HostedTool {
  readonly tool: Tool
  readonly host: ToolHost
}

const megabyte = 1024 * 1024

/** Checks options. Throws a `TypeError` that says what is wrong. */
export function resolveSettings(options: GivenOptions): Settings {
  if (typeof options?.model?.stream !== 'function') {
    throw new TypeError('An agent needs a model: createAgent({ model: anthropic({ … }) }).')
  }
  return resolveCallSettings(options)
}

/** As `resolveSettings`, for running calls alone, which takes no model. */
export function resolveCallSettings(options: GivenOptions): Settings {
  const tools = hostedTools(options.tools ?? [])
  const hooks = hookList(options.hooks)
  const count = (name: CountName, least: number, byDefault: number) =>
    atLeast(name, least, options[name] ?? byDefault)
  const orNull = (name: LimitName, byDefault: number | null) => {
    const { [name]: value = byDefault } = options
    return value === null ? null : atLeast(name, 1, value)
  }
  return {
    options,
    model: options.model ?? null,
    system: ofType('string', 'system', options.system ?? ''),
    maxConcurrency: count('maxConcurrency', 1, defaultConcurrency()),
    maxArtifactBytes: count('maxArtifactBytes', 0, 512 * megabyte),
    abortGraceMs: count('abortGraceMs', 0, 250),
    hooks,
    hookTimeoutMs: count('hookTimeoutMs', 1, 10_000),
    streamIdleMs: orNull('streamIdleMs', 60_000),
    summarize: options.compaction?.summarize ?? null,
    toolEvents: options.toolEvents ?? true,
    resume: oneOf('resume', ['ask', 'auto'], options.resume),
    updateIntervalMs: count('updateIntervalMs', 0, 50),
    tools,
    toolSpecs: specsOf(tools),
    kernel: {
      tools: new Map([...tools].map(([name, { tool }]) => [name, infoOf(tool)])),
      model: options.model ? identityOf(options.model) : noModel,
      toolExecution: execution(options.toolExecution ?? 'parallel'),
      toolMode: oneOf('toolMode', ['auto', 'manual'], options.toolMode),
      mayPauseForPeople: true,
      approvalMode: oneOf('approvalMode', ['wait', 'pause'], options.approvalMode),
      steeringMode: oneOf('steeringMode', ['one-at-a-time', 'all'], options.steeringMode),
      followUpMode: oneOf('followUpMode', ['one-at-a-time', 'all'], options.followUpMode),
      checksPrompts: hooks.some((hook) => hook.onUserPromptSubmit),
      checksResults: hooks.some((hook) => hook.afterToolCall),
      maxTurns: orNull('maxTurns', 5),
      maxCallsPerTurn: count('maxCallsPerTurn', 1, 64),
      maxToolResultChars: count('maxToolResultChars', 1, 10_000),
      retry: options.retry === null ? null : retryOf(optionsOf(options.retry ?? {}, 'retry')),
      deadlineMs: orNull('deadlineMs', null),
      budget: budgetOf(optionsOf(options.budget ?? {}, 'budget'), options.model),
      loop: options.loopDetection === null ? null : loopOf(options.loopDetection),
      compaction: options.compaction ? compactionOf(options.compaction) : null,
    },
  }
}

type CountName =
  | 'maxConcurrency'
  | 'maxArtifactBytes'
  | 'abortGraceMs'
  | 'hookTimeoutMs'
  | 'updateIntervalMs'
  | 'maxCallsPerTurn'
  | 'maxToolResultChars'

type LimitName = 'streamIdleMs' | 'maxTurns' | 'deadlineMs'

const noModel: ModelIdentity = { provider: 'offthread', id: 'none' }

function infoOf(tool: Tool): ToolInfo {
  const { label, place, executionMode, retry, idempotent, effects, onInterrupt } = tool
  return {
    label,
    place,
    sequential: executionMode === 'sequential',
    retry: retry ?? null,
    repeatable: idempotent || effects !== 'writes',
    resumable: onInterrupt !== 'error',
  }
}

/** The tools of these hosts by name. Throws a `TypeError` for two of one name. */
export function hostedTools(
  hosts: ToolHost | readonly ToolHost[],
): ReadonlyMap<string, HostedTool> {
  const tools = new Map<string, HostedTool>()
  const all: readonly ToolHost[] = isList(hosts) ? hosts : [hosts]
  for (const host of all) {
    if (!isObject(host) || !isList(host.tools)) {
      throw new TypeError(
        'tools takes what inWorkers, inPage, inClient and agentTool give, or a list.',
      )
    }
    for (const tool of host.tools) {
      if (tools.has(tool.name))
        throw new TypeError(`Duplicate tool name: ${tool.name}. Give one of them another name.`)
      tools.set(tool.name, { tool, host })
    }
  }
  return tools
}

/** What a request says about tools. */
export function specsOf(tools: ReadonlyMap<string, HostedTool>): readonly ToolSpec[] {
  return [...tools.values()].map(({ tool }) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputJsonSchema,
  }))
}

/** What an effect needs to call the hooks. */
export function hookPorts(settings: Settings, { clock }: Environment): HookPorts {
  const { hooks, hookTimeoutMs: timeoutMs, kernel } = settings
  return { hooks, patience: { timeoutMs, clock }, maxToolResultChars: kernel.maxToolResultChars }
}

/** Hooks as they may be given, as a list. */
export function hookList(hooks: AgentOptions['hooks'] = []): readonly AgentHooks[] {
  const all: readonly AgentHooks[] = isList(hooks) ? hooks : [hooks]
  for (const one of all) checkFunctions(optionsOf(one, 'hooks'), hookNames)
  return all
}

function execution(value: ToolExecution): ToolExecution {
  if (value === 'parallel' || value === 'sequential') return value
  if (value?.type === 'batched') {
    return { type: 'batched', size: atLeast('toolExecution.size', 1, value.size) }
  }
  throw new TypeError(
    "toolExecution must be 'parallel', 'sequential' or { type: 'batched', size: 3 }.",
  )
}

function retryOf(options: RetryOptions): RetryPolicy {
  return {
    maxAttempts: atLeast('retry.maxAttempts', 1, options.maxAttempts ?? 4),
    baseMs: atLeast('retry.baseMs', 0, options.baseMs ?? 1000),
    capMs: atLeast('retry.capMs', 0, options.capMs ?? 30_000),
  }
}

function budgetOf({ maxTokens, maxCost }: Budget, model?: Model): Budget {
  if (maxCost !== undefined) {
    if (!(maxCost > 0)) throw new TypeError(`budget.maxCost must be more than 0; it is ${maxCost}.`)
    if (!model?.reportsCost)
      throw new TypeError(
        'budget.maxCost needs a model that says what its answers cost. Or use budget.maxTokens.',
      )
  }
  if (maxTokens !== undefined) atLeast('budget.maxTokens', 1, maxTokens)
  return defined({ maxTokens, maxCost })
}

function loopOf(limits: LoopLimits = { noteAt: 3, stopAt: 6 }): LoopLimits {
  const noteAt = atLeast('loopDetection.noteAt', 2, limits.noteAt)
  return { noteAt, stopAt: atLeast('loopDetection.stopAt', noteAt, limits.stopAt) }
}

function compactionOf(options: CompactionOptions): CompactionLimits {
  const { thresholdTokens, keepTokens, summarize } = options
  ofType('function', 'compaction.summarize', summarize)
  const threshold = atLeast('compaction.thresholdTokens', 1, thresholdTokens)
  const keep = keepTokens ?? Math.floor(threshold / 2)
  return { thresholdTokens: threshold, keepTokens: atLeast('compaction.keepTokens', 0, keep) }
}

const hookNames = [
  'onUserPromptSubmit',
  'beforeToolCall',
  'afterToolCall',
  'transformContext',
] as const satisfies readonly (keyof AgentHooks)[]

function defaultConcurrency(): number {
  return Math.max(8, globalThis.navigator?.hardwareConcurrency ?? 8)
}
