import type { HostedTool, Settings } from './agent-options.ts'
import { assertNever } from './internal/assert-never.ts'
import type { Environment } from './internal/environment.ts'
import type { Effect } from './kernel/effect.ts'
import { openCall } from './kernel/state.ts'
import { askModel } from './runtime/ask-model.ts'
import type { EffectScope, Perform, Performance } from './runtime/effects.ts'
import { prepareCall } from './runtime/prepare-call.ts'
import { runCall } from './runtime/run-call.ts'
import type { Slots } from './runtime/slots.ts'
import type { Stopwatch } from './runtime/stopwatch.ts'
import type { Artifacts } from './storage/artifacts.ts'

export interface EffectPorts {
  readonly settings: () => Settings
  readonly slots: Slots
  readonly artifacts: Artifacts
  readonly environment: Environment
  readonly stopwatch: Stopwatch
}

/** Performs the kernel's effects with an agent's model and tools. */
export function createPerform(ports: EffectPorts): Perform {
  return (effect, scope) => perform(effect, scope, { ...ports, settings: ports.settings() })
}

type Ports = Omit<EffectPorts, 'settings'> & { readonly settings: Settings }

function perform(effect: Effect, scope: EffectScope, ports: Ports): Performance {
  const { settings, slots, artifacts, environment, stopwatch } = ports
  const { maxToolResultChars } = settings.kernel
  switch (effect.type) {
    case 'ask_model': {
      const { model, system, toolSpecs } = settings
      return askModel(scope, { model, system, tools: toolSpecs, maxToolResultChars, environment })
    }
    case 'prepare_call': {
      const { tool } = hostedTool(scope, effect.toolCallId, settings)
      return prepareCall(scope, { toolCallId: effect.toolCallId, tool, maxToolResultChars })
    }
    case 'run_call': {
      const { toolCallId, attempt, args } = effect
      const { tool, host } = hostedTool(scope, toolCallId, settings)
      const open = () => host.open(tool, { graceMs: settings.abortGraceMs })
      const shared = { slots, artifacts, environment, stopwatch, maxToolResultChars }
      return runCall(scope, { toolCallId, attempt, args, tool, open, ...shared })
    }
    default:
      return assertNever(effect)
  }
}

function hostedTool(scope: EffectScope, toolCallId: string, settings: Settings): HostedTool {
  const name = openCall(scope.state(), toolCallId)?.toolName
  const hosted = name === undefined ? undefined : settings.tools.get(name)
  if (!hosted) throw new TypeError(`The call ${toolCallId} has no tool.`)
  return hosted
}
