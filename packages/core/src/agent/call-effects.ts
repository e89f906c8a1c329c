import { openCall } from '../kernel/state.ts'
import { isInterrupted } from '../kernel/tool-call.ts'
import { unitSize } from '../kernel/units.ts'
import { heldSlot, noSlots, type Slots } from '../runtime/call-slots.ts'
import { createCallSlots, type EarlyExecutions } from '../runtime/early-executions.ts'
import { finishCall } from '../runtime/finish-call.ts'
import { createPace, type Pace } from '../runtime/pace.ts'
import { prepareCall } from '../runtime/prepare-call.ts'
import { runCall } from '../runtime/run-call.ts'
import type { EffectHandle, EffectScope } from '../runtime/running-effects.ts'
import type { Execution } from '../tools/host.ts'
import { guardExecution } from '../tools/page/guard-execution.ts'
import { isAgentHost } from './agent-host.ts'
import type { CallEffect, CallEffects, EffectPorts, NamedTool } from './ports.ts'
import { type HostedTool, hookPorts, type Settings } from './settings.ts'

type RunCall = Extract<CallEffect, { readonly type: 'run_call' }>

/** What all calls of a session share. */
export type CallSession = Pick<EffectPorts, 'settings' | 'environment' | 'notifier'>

/** The ports of an agent, with the slots and the pace of its session. */
interface CallPorts extends EffectPorts {
  readonly slots: Slots
  readonly early: EarlyExecutions
  readonly pace: Pace
}

/** Creates what starts the effects of calls, with the slots and the pace of a session. */
export function createCallEffects({ settings, environment, notifier }: CallSession): CallEffects {
  const shared = {
    ...createCallSlots(() => settings().maxConcurrency, environment.clock),
    pace: createPace(environment.turns),
  }
  notifier.subscribe(shared.early.note)
  return {
    start: (effect, scope, ports) => start(effect, scope, { ...ports, ...shared }),
    announce: (named, _scope, ports) => openEarly(named, { ...ports, ...shared }),
    rest: shared.early.dropAll,
    dispose: shared.slots.dispose,
  }
}

function start(effect: CallEffect, scope: EffectScope, ports: CallPorts): EffectHandle {
  if (effect.type === 'run_call') return run(effect, scope, ports)
  const { environment, pace } = ports
  const settings = ports.settings()
  const { toolCallId } = effect
  const tool = findTool(scope, toolCallId, settings)?.tool
  const shared = { ...hookPorts(settings, environment), tool }
  if (effect.type === 'finish_call') return finishCall(scope, toolCallId, { ...shared, pace })
  const isManual = settings.kernel.toolMode === 'manual'
  return prepareCall(scope, { ...shared, toolCallId, environment, isManual })
}

/**
 * A tool in a worker can start while the model is still writing its arguments: the calls that may run first start
 * early. Code that is not trusted starts only when its call may run.
 */
function openEarly([toolCallId, toolName]: NamedTool, ports: CallPorts): void {
  const { settings, early, agentId } = ports
  const { tools, kernel } = settings()
  const hosted = tools.get(toolName)
  if (hosted?.tool.place !== 'worker' || kernel.toolMode === 'manual') return
  if (early.count(agentId) >= unitSize(kernel.toolExecution)) return
  early.announce({ toolCallId, agentId }, () => opened(hosted, ports))
}

function run(effect: RunCall, scope: EffectScope, ports: CallPorts): EffectHandle {
  const { slots, artifacts, environment, stopwatch, pace } = ports
  const settings = ports.settings()
  const { toolCallId, attempt, args, delayMs } = effect
  const { tool, host } = hostedTool(scope, toolCallId, settings)
  // An agent inside a call runs no code of its own: its calls take the slots.
  const isAgent = isAgentHost(host)
  const early = ports.early.take(toolCallId)
  const handle = runCall(scope, {
    ...hookPorts(settings, environment),
    toolCallId,
    attempt,
    delayMs,
    args,
    isCheck: tool.onInterrupt === 'check' && isCutOff(scope, toolCallId),
    tool,
    open: () => {
      if (early) return early.execution
      return isAgent ? host.openIn(ports) : opened({ tool, host }, ports)
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

function opened({ tool, host }: HostedTool, { settings, environment }: CallPorts): Execution {
  const { abortGraceMs: graceMs } = settings()
  return guardExecution(host.open(tool, { graceMs }), { graceMs, clock: environment.clock })
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
