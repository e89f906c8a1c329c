import type { Environment } from '../internal/environment.ts'
import { loadPart } from '../internal/load-part.ts'
import { messageOf } from '../internal/message-of.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Effect } from '../kernel/effect.ts'
import { deadline } from '../kernel/end-of-run.ts'
import { type AskModelPorts, askModel } from '../runtime/ask-model.ts'
import { compact } from '../runtime/compact.ts'
import { type HookPorts, hookFailure } from '../runtime/hooks.ts'
import {
  type EffectHandle,
  type EffectScope,
  runUntilCancelled,
  type StartEffect,
} from '../runtime/running-effects.ts'
import { callPart } from './late-calls.ts'
import { checkOutput, withOutput } from './late-output.ts'
import type { EffectPorts } from './ports.ts'
import { hookPorts, type Settings } from './settings.ts'

const lacking = 'The effect cannot run.'

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
      return checkPrompt(scope, ports)
    case 'ask_model': {
      const { model, system, toolSpecs: tools, streamIdleMs } = settings
      if (!model) throw new TypeError(lacking)
      const { delayMs } = effect
      const output = scope.state().run?.output
      return askModel(scope, {
        maxToolResultChars: shared.maxToolResultChars,
        transform: transformWith(shared),
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
  }
}

const outOfTime = {
  type: 'abort_requested',
  by: deadline,
  reason: 'The time of the run is over.',
} as const

/** Few agents have hooks before a request, so their code is loaded with that of calls. */
function checkPrompt(scope: EffectScope, ports: EffectPorts): EffectHandle {
  const settings = ports.settings()
  const { hooks, patience } = hookPorts(settings, ports.environment)
  return runUntilCancelled(async (signal) => {
    const checked = { hooks, config: settings.kernel, patience: { ...patience, signal } }
    const facts = await loadPart(callPart.load, patience.clock)
      .then(({ checkedPrompt }) => checkedPrompt(scope.state, checked))
      .catch((thrown: unknown): readonly Draft[] => [
        hookFailure('onUserPromptSubmit', messageOf(thrown)),
        { type: 'input_rejected', reason: 'A hook failed.' },
      ])
    scope.commit(...facts)
  })
}

function transformWith({ hooks, patience }: HookPorts): AskModelPorts['transform'] {
  return async (messages, signal) => {
    if (!hooks.some((hook) => hook.transformContext)) return messages
    const { transformed } = await loadPart(callPart.load, patience.clock)
    return transformed(messages, hooks, { ...patience, signal })
  }
}

/** A model writes the summary, so it may take as long as an answer may be silent. */
const summaryTimeoutMs = 60_000

function compactPorts({ summarize, streamIdleMs, kernel }: Settings, { clock }: Environment) {
  if (!summarize || !kernel.compaction) throw new TypeError(lacking)
  const patience = { timeoutMs: streamIdleMs ?? summaryTimeoutMs, clock }
  return { summarize, keepTokens: kernel.compaction.keepTokens, patience }
}
