import { givenUp } from '../internal/abort.ts'
import { isJsonObject } from '../internal/json.ts'
import { messageOf } from '../internal/message-of.ts'
import { toPlain } from '../internal/plain.ts'
import type { ResultPatch } from '../kernel/amend.ts'
import { amendEnd } from '../kernel/amend.ts'
import type { Draft, ToolEndDraft } from '../kernel/draft.ts'
import type { Ending } from '../kernel/ending.ts'
import { endOfCall } from '../kernel/ending.ts'
import { openCall } from '../kernel/state.ts'
import type { ToolCall } from '../kernel/tool-call.ts'
import { endOfRetries, isRetried } from '../kernel/tool-retry.ts'
import { toParts } from '../tools/content.ts'
import type { EffectScope, Performance } from './effects.ts'
import type { AgentHooks, FinishedCall, Patience, ResultChange } from './hooks.ts'
import { callHook, hookFailure } from './hooks.ts'

export interface FinishCallPorts {
  readonly hooks: readonly AgentHooks[]
  readonly patience: Omit<Patience, 'signal'>
  readonly maxToolResultChars: number
}

/** Makes an answer from outside the end of its call, after the hooks have seen it. */
export function finishCall(
  scope: EffectScope,
  toolCallId: string,
  ports: FinishCallPorts,
): Performance {
  const controller = new AbortController()
  const call = openCall(scope.state(), toolCallId)
  if (call?.staged) {
    const ending: Ending = { kind: 'given', ...call.staged }
    void finish(scope, endingFacts(call, ending, { ports, signal: controller.signal }))
  }
  return { update: () => {}, giveUp: () => controller.abort(givenUp) }
}

async function finish(scope: EffectScope, facts: Promise<readonly Draft[]>): Promise<void> {
  scope.commit(...(await facts))
}

export interface Finishing {
  readonly ports: FinishCallPorts
  /** Fires when nobody waits for the hooks any more; what they say then does not count. */
  readonly signal: AbortSignal
}

/** The facts that end a call which returned, threw or was answered: with what the hooks make of its result. */
export async function endingFacts(
  call: ToolCall,
  ending: Ending,
  { ports, signal }: Finishing,
): Promise<readonly Draft[]> {
  const { hooks, patience, maxToolResultChars: maxChars } = ports
  const end = endOfCall(call, ending, maxChars)
  const retries = (isError: boolean) => (isRetried(call) ? [endOfRetries(call, !isError)] : [])
  try {
    const seen = await amended(call, end, { hooks, patience: { ...patience, signal }, maxChars })
    return [...retries(seen.isError), seen]
  } catch (error) {
    const withheld = endOfCall(call, { kind: 'withheld' }, maxChars)
    return [hookFailure('afterToolCall', messageOf(error)), ...retries(true), withheld]
  }
}

interface Amending {
  readonly hooks: readonly AgentHooks[]
  readonly patience: Patience
  readonly maxChars: number
}

async function amended(
  call: ToolCall,
  end: ToolEndDraft,
  { hooks, patience, maxChars }: Amending,
): Promise<ToolEndDraft> {
  let seen = end
  for (const { afterToolCall } of hooks) {
    if (!afterToolCall) continue
    const subject = finishedCall(call, seen)
    const change = await callHook((options) => afterToolCall(subject, options), patience)
    if (change) seen = amendEnd(seen, patchOf(change), maxChars)
  }
  return seen
}

function finishedCall({ toolCallId, toolName, stage }: ToolCall, end: ToolEndDraft): FinishedCall {
  const args = argsOf(stage)
  return structuredClone({ toolCallId, toolName, args, result: end.result, isError: end.isError })
}

function argsOf(stage: ToolCall['stage']): FinishedCall['args'] {
  if (stage.kind === 'streaming') return {}
  if ('effectiveArgs' in stage && stage.effectiveArgs) return stage.effectiveArgs
  return isJsonObject(stage.args) ? stage.args : {}
}

function patchOf(change: ResultChange): ResultPatch {
  const { content, details, structuredContent, isError, terminate } = change
  return {
    ...(content !== undefined && { content: toParts(content) }),
    ...(details !== undefined && { details: toPlain(details) }),
    ...(structuredContent !== undefined && { structuredContent: toPlain(structuredContent) }),
    ...(isError !== undefined && { isError }),
    ...(terminate !== undefined && { terminate }),
  }
}
