import { messageOf } from '../internal/message-of.ts'
import { coveredBy, firstKept } from '../kernel/compaction.ts'
import type { Draft } from '../kernel/draft.ts'
import { contextTokens, lengthOf, toTokens } from '../kernel/length.ts'
import type { Message } from '../kernel/message.ts'
import type { State } from '../kernel/state.ts'
import { callHook, type HookPorts, type Patience } from './hooks.ts'
import { type EffectHandle, type EffectScope, runUntilCancelled } from './running-effects.ts'

/** Makes a summary of messages. If it throws, the run goes on without the summary. */
export type Summarize = (
  input: { readonly messages: readonly Message[] },
  options: { readonly signal: AbortSignal },
) => string | Promise<string>

export interface CompactPorts extends Omit<HookPorts, 'hooks'> {
  readonly summarize: Summarize
  readonly keepTokens: number
}

/** Summarises the beginning of the history. */
export function compact(scope: EffectScope, ports: CompactPorts): EffectHandle {
  const state = scope.state()
  return runUntilCancelled(async (signal) => {
    scope.commit(await outcomeOf(state, ports, { ...ports.patience, signal }))
  })
}

async function outcomeOf(state: State, ports: CompactPorts, patience: Patience): Promise<Draft> {
  const { summarize, keepTokens, maxToolResultChars } = ports
  const kept = firstKept(state, keepTokens)
  if (!kept) return { type: 'compaction_end', aborted: true }
  const messages = coveredBy(state, kept, maxToolResultChars)
  try {
    const summary = await callHook((options) => summarize({ messages }, options), patience)
    if (typeof summary !== 'string' || summary.trim() === '') throw new Error('It was empty.')
    const covered = messages.reduce((sum, message) => sum + lengthOf(message), 0)
    const tokensBefore = contextTokens(state)
    const tokensAfter = tokensBefore - toTokens(covered) + toTokens(summary.length)
    const firstKeptMessageId = kept.message.id
    return {
      type: 'compaction_end',
      aborted: false,
      result: { summary, firstKeptMessageId, tokensBefore, tokensAfter },
    }
  } catch (error) {
    const message = `The history could not be summarised: ${messageOf(error)}`
    return {
      type: 'compaction_end',
      aborted: false,
      error: { kind: 'internal', message, retryable: false },
    }
  }
}
