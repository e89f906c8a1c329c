import { defined } from '../internal/defined.ts'
import { isJsonObject, type Json } from '../internal/json.ts'
import { messageOf } from '../internal/message-of.ts'
import { readJson } from '../internal/read-json.ts'
import { amendEnd, type ResultPatch } from '../kernel/amend.ts'
import type { Draft, ToolEndDraft } from '../kernel/draft.ts'
import { type Ending, endOfCall } from '../kernel/ending.ts'
import { openCall } from '../kernel/state.ts'
import type { ToolCall } from '../kernel/tool-call.ts'
import { endOfRetries, isRetried } from '../kernel/tool-retry.ts'
import { problemsOf } from '../tools/check-args.ts'
import { toParts } from '../tools/content.ts'
import type { Tool } from '../tools/definition.ts'
import { isAnswer } from './hook-answer.ts'
import {
  callHook,
  type FinishedCall,
  type HookPorts,
  hookFailure,
  type ResultChange,
} from './hooks.ts'
import type { Pace } from './pace.ts'
import { type EffectHandle, type EffectScope, runUntilCancelled } from './running-effects.ts'

/** Ends a call with the answer that came from outside, after the hooks have seen it. */
export function finishCall(
  scope: EffectScope,
  toolCallId: string,
  { pace, ...ports }: Omit<Finishing, 'signal'> & { readonly pace: Pace },
): EffectHandle {
  const call = openCall(scope.state(), toolCallId)
  return runUntilCancelled(async (signal) => {
    if (!call?.staged) return
    const ending: Ending = { kind: 'given', ...call.staged }
    const facts = await endingFacts(call, ending, { ...ports, signal })
    await pace(scope.state().batch)
    scope.commit(...facts)
  })
}

export interface Finishing extends HookPorts {
  /** The tool of the call; `undefined` if the agent has no such tool any more. */
  readonly tool: Pick<Tool, 'outputSchema'> | undefined
  /** Aborts the wait for the hooks. */
  readonly signal: AbortSignal
}

/** The facts that end a call which returned, threw or was answered, after the hooks have seen its result. */
export async function endingFacts(
  call: ToolCall,
  ending: Ending,
  finishing: Finishing,
): Promise<readonly Draft[]> {
  const { maxToolResultChars: maxChars } = finishing
  const end = endOfCall(call, ending, maxChars)
  const retries = (isError: boolean) => (isRetried(call) ? [endOfRetries(call, !isError)] : [])
  try {
    const seen = await amended(call, end, finishing)
    return [...retries(seen.isError), seen]
  } catch (error) {
    const withheld = endOfCall(call, { kind: 'withheld' }, maxChars)
    return [hookFailure('afterToolCall', messageOf(error)), ...retries(true), withheld]
  }
}

async function amended(
  call: ToolCall,
  end: ToolEndDraft,
  { hooks, patience, signal, maxToolResultChars, tool }: Finishing,
): Promise<ToolEndDraft> {
  let seen = end
  for (const { afterToolCall } of hooks) {
    if (!afterToolCall) continue
    const subject = finishedCall(call, seen)
    const change = await callHook((options) => afterToolCall(subject, options), {
      ...patience,
      signal,
    })
    if (isAnswer(change, changeForm)) seen = amendEnd(seen, patchOf(change), maxToolResultChars)
  }
  const last = seen
  const isNew = last.isError !== end.isError || outputOf(last) !== outputOf(end)
  if (isNew) await callHook(() => checkOutput(last, tool), { ...patience, signal })
  return last
}

/** The output of a call that succeeded has to fit the tool's schema, because views rely on it. */
async function checkOutput(end: ToolEndDraft, tool: Finishing['tool']): Promise<void> {
  if (end.isError || !tool?.outputSchema) return
  const { issues } = await tool.outputSchema['~standard'].validate(outputOf(end))
  if (issues) throw new TypeError(`Its result does not fit outputSchema: ${problemsOf(issues)}`)
}

function outputOf({ result }: ToolEndDraft): Json | undefined {
  return result.structuredContent
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
  // As `{ ...call, result }` does, whose result would go on as it is.
  if ('result' in change) throw new TypeError('It gave a result in place of its fields.')
  return defined({
    content: content === undefined ? undefined : toParts(content),
    details: ownCopy('details', details),
    structuredContent: ownCopy('structuredContent', structuredContent),
    isError,
    terminate,
  })
}

const flags = ['isError', 'terminate']
const changeForm = { fields: ['content', 'details', 'structuredContent', ...flags], flags }

/** A copy, because a hook may change the value later; checked, because JavaScript allows any value. */
function ownCopy(field: string, value: Json | undefined): Json | undefined {
  if (value === undefined) return undefined
  const copy = readJson(value)
  if (copy === undefined) throw new TypeError(`It gave a field "${field}" that is not JSON.`)
  return copy
}
