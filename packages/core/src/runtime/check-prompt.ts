import type { Draft } from '../kernel/draft.ts'
import type { KernelConfig } from '../kernel/kernel-config.ts'
import { type Part, saysSomething } from '../kernel/message.ts'
import { startOfTurn } from '../kernel/next-turn.ts'
import type { State } from '../kernel/state.ts'
import { toParts } from '../tools/content.ts'
import { isAnswer } from './hook-answer.ts'
import { type AgentHooks, callHook, type HookPorts, isBlock, type Patience } from './hooks.ts'

interface CheckPromptPorts extends Pick<HookPorts, 'hooks'> {
  readonly patience: Patience
  readonly config: KernelConfig
}

/**
 * Shows the prompt of a run to the hooks. Resolves with the start of the first turn with what they return, or with their
 * refusal. Rejects if one fails.
 */
export async function checkedPrompt(
  state: () => State,
  { hooks, patience, config }: CheckPromptPorts,
): Promise<readonly Draft[]> {
  const { run } = state()
  const content = run?.pending[0]
  if (!run || !content) return []
  const verdict = await verdictOn(content, hooks, patience)
  if ('reason' in verdict) return [{ type: 'input_rejected', reason: verdict.reason }]
  return startOfTurn({ state: state(), run, config }, 'steering', [verdict.content])
}

type Verdict = { readonly content: readonly Part[] } | { readonly reason: string }

async function verdictOn(
  submitted: readonly Part[],
  hooks: readonly AgentHooks[],
  patience: Patience,
): Promise<Verdict> {
  let content = submitted
  for (const { onUserPromptSubmit } of hooks) {
    if (!onUserPromptSubmit) continue
    const prompt = { content: structuredClone(content) }
    const verdict = await callHook((options) => onUserPromptSubmit(prompt, options), patience)
    if (!isAnswer(verdict, promptForm)) continue
    if (isBlock(verdict)) {
      const { reason } = verdict
      return { reason: typeof reason === 'string' ? reason : 'A hook refused the prompt.' }
    }
    content = toParts(verdict.content)
    if (!saysSomething(content)) throw new TypeError('It left nothing of the prompt.')
  }
  return { content }
}

const promptForm = { fields: ['block', 'content'], flags: ['block'] }
