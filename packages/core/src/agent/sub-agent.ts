import { abandoned, untilAborted } from '../internal/abort.ts'
import { defined } from '../internal/defined.ts'
import { messageOf } from '../internal/message-of.ts'
import { decide } from '../kernel/decide.ts'
import { usageOfSession } from '../kernel/fold-agents.ts'
import type { Budget, KernelConfig } from '../kernel/kernel-config.ts'
import { noUsage, type Part } from '../kernel/message.ts'
import { tokensIn } from '../kernel/next-turn.ts'
import { startOf } from '../kernel/outside-run.ts'
import type { State } from '../kernel/state.ts'
import { type AgentHooks, callHook } from '../runtime/hooks.ts'
import { createRuntime } from '../runtime/runtime.ts'
import { createStopwatch } from '../runtime/stopwatch.ts'
import { checkArgs } from '../tools/check-args.ts'
import type { Tool } from '../tools/definition.ts'
import type { CallRequest, Execution, Settlement } from '../tools/host.ts'
import { fitToSize } from '../tools/result/fit-to-size.ts'
import { maxResultBytes } from '../tools/result-limits.ts'
import type { AgentOptions, ToolHosts } from './options.ts'
import type { EffectPorts } from './ports.ts'
import { partsOf } from './prompt.ts'
import { abortRun, type RunResult, startRun } from './run.ts'
import { type GivenOptions, hookList, resolveSettings, type Settings } from './settings.ts'
import { createStartEffect } from './start-effect.ts'

/**
 * What an agent inside a call is made of. Options that are left out are those of the agent around it, except for tools,
 * system, `maxTurns` and the deadline. The hooks of the agent around it come first, without those for prompts; its
 * budget is at most what is left of the outer one.
 */
export type SubAgentOptions<Hosts extends ToolHosts = ToolHosts> = Partial<
  Omit<
    AgentOptions<Hosts>,
    'storage' | 'sessionId' | 'toolMode' | 'approvalMode' | 'maxConcurrency'
  >
>

/** What a call of an agent tool is made of. */
export interface SubAgentCall {
  readonly tool: Tool
  readonly options: SubAgentOptions
  prompt(this: void, input: unknown): string | readonly Part[]
}

/** One call of an agent tool: an agent that writes into the same log. */
export function openSubAgent(call: SubAgentCall, around: EffectPorts): Execution {
  const stopping = new AbortController()
  const disposal = new AbortController()
  let stop = (): void => {}
  return {
    ready: Promise.resolve(),
    run: async (request, listener) => {
      listener({ type: 'running' })
      try {
        const making = createSubAgent(call, around, { request, signal: stopping.signal })
        const agent = await untilAborted(making, stopping.signal)
        stop = agent.abort
        return settlementOf(await agent.run(disposal.signal), stopping.signal.aborted)
      } catch (error) {
        if (stopping.signal.aborted) return { kind: 'stopped', how: 'cooperative' }
        return { kind: 'threw', errorKind: 'failed', message: messageOf(error, maxResultBytes) }
      }
    },
    stop: () => {
      stopping.abort(abandoned)
      stop()
    },
    close: () => {
      stopping.abort(abandoned)
      disposal.abort(abandoned)
    },
  }
}

async function createSubAgent(
  { tool, options, prompt }: SubAgentCall,
  around: EffectPorts,
  { request, signal }: { readonly request: CallRequest; readonly signal: AbortSignal },
) {
  const { environment, ledger, notifier, failure } = around
  const patience = { timeoutMs: around.settings().hookTimeoutMs, clock: environment.clock, signal }
  const input = await callHook(() => checkArgs(tool, request.input), patience)
  if (!input.ok) throw new TypeError(input.message)
  const content = partsOf(prompt(input.value))
  const { options: outer, kernel } = around.settings()
  const settings = innerSettings(outer, options, remaining(kernel.budget, ledger.state()))
  const agentId = environment.newId('agent')
  const own = ledger.of(agentId, request.toolCallId)
  const stopwatch = createStopwatch(environment.clock)
  const runtime = createRuntime({
    ledger: own,
    environment,
    stopwatch,
    decide: (state) => decide(state, withinBudget(settings.kernel, around)),
    startEffect: createStartEffect({
      ...around,
      agentId,
      settings: () => settings,
      ledger: own,
      stopwatch,
    }),
  })
  return {
    run: async (disposal: AbortSignal) => {
      disposal.addEventListener('abort', runtime.stop, { once: true })
      const parts = { runtime, notifier, failure }
      const start = startOf('prompt', settings.kernel, { input: content })
      around.subAgents.set(agentId, { runtime, settings: () => settings })
      try {
        return await startRun({ parts, agentId, disposal, signal: undefined }, [start])
      } finally {
        around.subAgents.delete(agentId)
      }
    },
    abort: () => abortRun(runtime, 'The call was stopped.'),
  }
}

/** The settings of the agent around, with its own tools, system, turns and output. Throws a `TypeError`. */
export function innerSettings(
  outer: GivenOptions,
  options: SubAgentOptions,
  budget: Budget,
): Settings {
  const { tools: _tools, system: _system, maxTurns: _turns, ...rest } = outer
  const { storage: _storage, sessionId: _id, deadlineMs: _deadline, ...inherited } = rest
  const settings = resolveSettings({
    ...inherited,
    ...defined(options),
    // The hooks of the agent around come first.
    hooks: [...hookList(outer.hooks).map(withoutPromptHook), ...hookList(options.hooks)],
    toolMode: 'auto',
    approvalMode: 'wait',
    budget: lower(budget, options.budget ?? {}),
  })
  const client = [...settings.tools.values()].find(({ tool }) => tool.place === 'client')
  if (client) {
    throw new TypeError(
      `The agent inside a call cannot have "${client.tool.name}", which the user interface answers. Give the tool to the agent around it.`,
    )
  }
  return settings
}

// A tool wrote the prompt, not a person. Each hook is passed on by name, because the methods of a class are not among the
// fields of its objects.
function withoutPromptHook(hooks: AgentHooks): AgentHooks {
  const { beforeToolCall, afterToolCall, transformContext } = hooks
  return defined({ beforeToolCall, afterToolCall, transformContext })
}

/** What is left of the budget of the run around. */
function remaining({ maxTokens, maxCost }: Budget, { run }: State): Budget {
  const usage = run?.usage ?? noUsage
  return defined({
    maxTokens: maxTokens && Math.max(1, maxTokens - tokensIn(usage)),
    maxCost: maxCost && Math.max(Number.MIN_VALUE, maxCost - (usage.cost ?? 0)),
  })
}

function lower(outer: Budget, inner: Budget): Budget {
  const least = (a = Infinity, b = Infinity) => {
    const limit = Math.min(a, b)
    return limit === Infinity ? undefined : limit
  }
  return defined({
    maxTokens: least(outer.maxTokens, inner.maxTokens),
    maxCost: least(outer.maxCost, inner.maxCost),
  })
}

// All agents of a session draw on one budget, also those that are at work side by side.
function withinBudget(kernel: KernelConfig, { settings, ledger }: EffectPorts): KernelConfig {
  const { maxTokens, maxCost } = settings().kernel.budget
  if (maxTokens === undefined && maxCost === undefined) return kernel
  const used = usageOfSession(ledger.session())
  const isOut =
    tokensIn(used) >= (maxTokens ?? Infinity) || (used.cost ?? 0) >= (maxCost ?? Infinity)
  return isOut ? { ...kernel, budget: { maxTokens: 0 } } : kernel
}

function settlementOf({ reason, text, error }: RunResult, wasStopped: boolean): Settlement {
  if (wasStopped) return { kind: 'stopped', how: 'cooperative' }
  if (reason === 'stop' || reason === 'terminated' || (reason === 'max_turns' && text !== '')) {
    const content = text === '' ? [] : [{ type: 'text', text } as const]
    return { kind: 'returned', result: fitToSize({ content }) }
  }
  const why = error ? `: ${error.message}` : '.'
  return { kind: 'threw', errorKind: 'failed', message: `The agent ended as "${reason}"${why}` }
}
