import { messageOf } from '../internal/message-of.ts'
import type { Draft } from '../kernel/draft.ts'
import type { KernelConfig } from '../kernel/kernel-config.ts'
import { type Part, saysSomething } from '../kernel/message.ts'
import { startOfTurn } from '../kernel/next-turn.ts'
import { toParts } from '../tools/content.ts'
import {
  type AgentHooks,
  callHook,
  type HookPorts,
  hookFailure,
  isBlock,
  type Patience,
} from './hooks.ts'
import { type EffectHandle, type EffectScope, runUntilCancelled } from './running-effects.ts'

export interface CheckPromptPorts extends HookPorts {
  readonly config: KernelConfig
}

/** Shows the prompt of a run to the hooks and starts the first turn with what they return. */
export function checkPrompt(scope: EffectScope, ports: CheckPromptPorts): EffectHandle {
  return runUntilCancelled((signal) => check(scope, ports, signal))
}

async function check(
  scope: EffectScope,
  { hooks, patience, config }: CheckPromptPorts,
  signal: AbortSignal,
): Promise<void> {
  const { run } = scope.state()
  const content = run?.pending[0]
  if (!run || !content) return
  const verdict = await verdictOn(content, hooks, { ...patience, signal })
  const state = scope.state()
  scope.commit(
    ...('reason' in verdict
      ? [...verdict.warnings, { type: 'input_rejected', reason: verdict.reason } as const]
      : startOfTurn({ state, run, config }, 'steering', [verdict.content])),
  )
}

type Verdict =
  | { readonly content: readonly Part[] }
  | { readonly reason: string; readonly warnings: readonly Draft[] }

async function verdictOn(
  submitted: readonly Part[],
  hooks: readonly AgentHooks[],
  patience: Patience,
): Promise<Verdict> {
  let content = submitted
  try {
    for (const { onUserPromptSubmit } of hooks) {
      if (!onUserPromptSubmit) continue
      const prompt = { content: structuredClone(content) }
      const verdict = await callHook((options) => onUserPromptSubmit(prompt, options), patience)
      if (!verdict) continue
      if (isBlock(verdict)) {
        const { reason } = verdict
        const isGiven = typeof reason === 'string'
        return { reason: isGiven ? reason : 'A hook refused the prompt.', warnings: [] }
      }
      content = toParts(verdict.content)
      if (!saysSomething(content)) throw new TypeError('It left nothing of the prompt.')
    }
    return { content }
  } catch (error) {
    const warnings = [hookFailure('onUserPromptSubmit', messageOf(error))]
    return { reason: 'A hook failed.', warnings }
  }
}
