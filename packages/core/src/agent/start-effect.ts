import { assertNever } from '../internal/assert-never.ts'
import type { Environment } from '../internal/environment.ts'
import type { Effect } from '../kernel/effect.ts'
import { deadline } from '../kernel/end-of-run.ts'
import { askModel } from '../runtime/ask-model.ts'
import { checkPrompt } from '../runtime/check-prompt.ts'
import { compact } from '../runtime/compact.ts'
import type { EffectHandle, EffectScope, StartEffect } from '../runtime/running-effects.ts'
import { checkOutput, withOutput } from './late-output.ts'
import type { EffectPorts } from './ports.ts'
import { hookPorts, type Settings } from './settings.ts'

/** Starts the kernel's effects with an agent's model, tools and hooks. */
export function createStartEffect(ports: EffectPorts): StartEffect {
  return (effect, scope) => startEffect(effect, scope, ports)
}

function startEffect(effect: Effect, scope: EffectScope, ports: EffectPorts): EffectHandle {
  const { environment } = ports
  const settings = ports.settings()
  const shared = hookPorts(settings, environment)
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
        onToolNamed: (...named) => ports.calls.announce(named, scope, ports),
      })
    }
    case 'check_output':
      return checkOutput(scope, effect.messageId, shared)
    case 'compact':
      return compact(scope, { ...shared, ...compactPorts(settings, environment) })
    case 'prepare_call':
    case 'run_call':
    case 'finish_call':
      return ports.calls.start(effect, scope, ports)
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

/** A model writes the summary, so it may take as long as an answer may be silent. */
const summaryTimeoutMs = 60_000

function compactPorts({ summarize, streamIdleMs, kernel }: Settings, { clock }: Environment) {
  if (!summarize || !kernel.compaction) throw new TypeError('There is nothing to summarise with.')
  const patience = { timeoutMs: streamIdleMs ?? summaryTimeoutMs, clock }
  return { summarize, keepTokens: kernel.compaction.keepTokens, patience }
}
