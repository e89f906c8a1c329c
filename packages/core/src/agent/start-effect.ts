import { assertNever } from '../internal/assert-never.ts'
import type { Environment } from '../internal/environment.ts'
import type { Effect } from '../kernel/effect.ts'
import { deadline } from '../kernel/end-of-run.ts'
import { openCall } from '../kernel/state.ts'
import { isInterrupted } from '../kernel/tool-call.ts'
import { unitSize } from '../kernel/units.ts'
import { askModel } from '../runtime/ask-model.ts'
import { checkPrompt } from '../runtime/check-prompt.ts'
import { compact } from '../runtime/compact.ts'
import type { AnnouncedCall } from '../runtime/early-executions.ts'
import { finishCall } from '../runtime/finish-call.ts'
import { createPace, type Pace } from '../runtime/pace.ts'
import { prepareCall } from '../runtime/prepare-call.ts'
import { runCall } from '../runtime/run-call.ts'
import type { EffectHandle, EffectScope, StartEffect } from '../runtime/running-effects.ts'
import { heldSlot, noSlots } from '../runtime/slots.ts'
import { isAgentHost } from './agent-host.ts'
import { checkOutput, withOutput } from './late-output.ts'
import type { EffectPorts } from './ports.ts'
import type { HostedTool, Settings } from './settings.ts'

/** Starts the kernel's effects with an agent's model, tools and hooks. */
export function createStartEffect(ports: EffectPorts): StartEffect {
  const pace = createPace(ports.environment.turns)
  return (effect, scope) => startEffect(effect, scope, { ...ports, pace })
}

interface StartPorts extends EffectPorts {
  readonly pace: Pace
}

function startEffect(effect: Effect, scope: EffectScope, ports: StartPorts): EffectHandle {
  const { environment, agentId, pace } = ports
  const settings = ports.settings()
  const shared = sharedPorts(settings, environment)
  switch (effect.type) {
    case 'check_prompt':
      return checkPrompt(scope, { ...shared, config: settings.kernel })
    case 'ask_model': {
      const { model, system, toolSpecs: tools, streamIdleMs } = settings
      if (!model) throw new TypeError('There is no model to ask.')
      const { delayMs } = effect
      const output = scope.state().run?.output
      return askModel(scope, {
        ...shared,
        model: output ? withOutput(output, model) : model,
        system,
        tools,
        streamIdleMs,
        delayMs,
        environment,
        onToolNamed: (toolCallId, toolName) => openEarly({ toolCallId, agentId }, toolName, ports),
      })
    }
    case 'check_output':
      return checkOutput(scope, effect.messageId, shared)
    case 'compact':
      return compact(scope, { ...shared, ...compactPorts(settings, environment) })
    case 'prepare_call': {
      const { toolCallId } = effect
      const tool = findTool(scope, toolCallId, settings)?.tool
      const isManual = settings.kernel.toolMode === 'manual'
      return prepareCall(scope, { ...shared, toolCallId, tool, environment, isManual })
    }
    case 'run_call':
      return run(effect, scope, ports)
    case 'finish_call':
      return finishCall(scope, effect.toolCallId, {
        ...shared,
        pace,
        tool: findTool(scope, effect.toolCallId, settings)?.tool,
      })
    case 'watch_deadline':
      return { cancel: environment.clock.setTimer(effect.ms, () => void scope.commit(outOfTime)) }
    default:
      return assertNever(effect)
  }
}

const outOfTime = {
  type: 'abort_requested',
  by: deadline,
  reason: 'The time of the run is over.',
} as const

function sharedPorts({ hooks, hookTimeoutMs, kernel }: Settings, { clock }: Environment) {
  const patience = { timeoutMs: hookTimeoutMs, clock }
  return { hooks, patience, maxToolResultChars: kernel.maxToolResultChars }
}

/** A summary is written by a model: it may take as long as an answer may be silent. */
const summaryTimeoutMs = 60_000

function compactPorts({ summarize, streamIdleMs, kernel }: Settings, { clock }: Environment) {
  if (!summarize || !kernel.compaction) throw new TypeError('There is nothing to summarise with.')
  const patience = { timeoutMs: streamIdleMs ?? summaryTimeoutMs, clock }
  return { summarize, keepTokens: kernel.compaction.keepTokens, patience }
}

/**
 * A tool in a worker can start while the model is still writing its arguments: the calls that may run first start
 * early. Code that is not trusted starts only when its call may run.
 */
function openEarly(call: AnnouncedCall, toolName: string, ports: EffectPorts): void {
  const { settings, early } = ports
  const { tools, abortGraceMs: graceMs, kernel } = settings()
  const hosted = tools.get(toolName)
  if (hosted?.tool.place !== 'worker' || kernel.toolMode === 'manual') return
  if (early.count(call.agentId) >= unitSize(kernel.toolExecution)) return
  early.announce(call, () => hosted.host.open(hosted.tool, { graceMs }))
}

type RunCall = Extract<Effect, { readonly type: 'run_call' }>

function run(effect: RunCall, scope: EffectScope, ports: StartPorts): EffectHandle {
  const { slots, artifacts, environment, stopwatch, pace } = ports
  const settings = ports.settings()
  const { toolCallId, attempt, args, delayMs } = effect
  const { tool, host } = hostedTool(scope, toolCallId, settings)
  // An agent inside a call runs no code of its own: its calls take the slots.
  const isAgent = isAgentHost(host)
  const early = ports.early.take(toolCallId)
  const handle = runCall(scope, {
    ...sharedPorts(settings, environment),
    toolCallId,
    attempt,
    delayMs,
    args,
    isCheck: tool.onInterrupt === 'check' && isCutOff(scope, toolCallId),
    tool,
    open: () => {
      if (early) return early.execution
      return isAgent ? host.openIn(ports) : host.open(tool, { graceMs: settings.abortGraceMs })
    },
    slots: early ? heldSlot(early.release) : isAgent ? noSlots : slots,
    artifacts,
    environment,
    stopwatch,
    pace,
    config: settings.kernel,
    context: settings.options.context,
    tellsProgress: settings.toolEvents,
    updateIntervalMs: settings.updateIntervalMs,
  })
  if (!early) return handle
  return {
    ...handle,
    cancel: () => {
      handle.cancel()
      // The call may have been cancelled before it opened the execution.
      early.execution.close()
    },
  }
}

function isCutOff(scope: EffectScope, toolCallId: string): boolean {
  const call = openCall(scope.state(), toolCallId)
  return call !== undefined && isInterrupted(call)
}

function hostedTool(scope: EffectScope, toolCallId: string, settings: Settings): HostedTool {
  const hosted = findTool(scope, toolCallId, settings)
  if (!hosted) throw new TypeError(`The call ${toolCallId} has no tool.`)
  return hosted
}

function findTool(
  scope: EffectScope,
  toolCallId: string,
  settings: Settings,
): HostedTool | undefined {
  const name = openCall(scope.state(), toolCallId)?.toolName
  return name === undefined ? undefined : settings.tools.get(name)
}
