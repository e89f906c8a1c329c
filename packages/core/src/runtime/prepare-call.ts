import { defined } from '../internal/defined.ts'
import type { Environment } from '../internal/environment.ts'
import { frozen } from '../internal/freeze.ts'
import { isJsonObject, type JsonObject } from '../internal/json.ts'
import { messageOf } from '../internal/message-of.ts'
import { readJson } from '../internal/read-json.ts'
import type { Draft, ToolPreparedDraft } from '../kernel/draft.ts'
import { type Ending, endOfCall } from '../kernel/ending.ts'
import { openCall } from '../kernel/state.ts'
import { argsOf, type ToolCall } from '../kernel/tool-call.ts'
import { approvedText } from '../tools/args-digest.ts'
import { type ArgsCheck, checkArgs } from '../tools/check-args.ts'
import type { Tool } from '../tools/definition.ts'
import { isAnswer } from './hook-answer.ts'
import { callHook, type HookPorts, hookFailure, isBlock, type Patience } from './hooks.ts'
import { type EffectHandle, type EffectScope, runUntilCancelled } from './running-effects.ts'

export interface PrepareCallPorts extends HookPorts {
  readonly toolCallId: string
  /** The tool of the call; `undefined`: the agent has no such tool, and any arguments fit. */
  readonly tool: Tool | undefined
  readonly environment: Environment
  /** The page answers the call: whatever the hooks do not block is handed to it, and needs no approval. */
  readonly isManual: boolean
}

/** Checks one call before it may run: its arguments, the hooks, and whether a person has to allow it. */
export function prepareCall(scope: EffectScope, ports: PrepareCallPorts): EffectHandle {
  const call = openCall(scope.state(), ports.toolCallId)
  const before = call ? (scope.state().batch?.calls.indexOf(call) ?? 0) : 0
  const { mostCalls, next } = ports.environment.turns
  return runUntilCancelled(async (signal) => {
    if (before % mostCalls === mostCalls - 1) await next()
    if (call) await prepare(scope, { ...ports, patience: { ...ports.patience, signal }, call })
  })
}

interface Preparation extends PrepareCallPorts {
  readonly call: ToolCall
  readonly patience: Patience
}

async function prepare(scope: EffectScope, preparation: Preparation): Promise<void> {
  const { stage } = preparation.call
  const isEdited = stage.kind === 'edited'
  scope.commit(
    ...(isEdited
      ? await verdictOnEdit(preparation, stage.approvalArgs)
      : await verdictOn(preparation)),
  )
}

// A person chose these arguments, so the call needs no second approval. They still have to fit the tool.
async function verdictOnEdit(
  preparation: Preparation,
  args: JsonObject,
): Promise<readonly Draft[]> {
  const check = await checkInput(preparation, args)
  return check.ok ? [prepared(preparation, args)] : [refusal(preparation, check.message)]
}

async function verdictOn(preparation: Preparation): Promise<readonly Draft[]> {
  const reading = argsOf(preparation.call)
  if (!reading.ok) return [unfit(preparation, {}, reading.problem)]
  const check = await checkInput(preparation, reading.args)
  if (!check.ok) return [unfit(preparation, reading.args, check.message)]
  try {
    return await verdictOfHooks(preparation, reading.args, check.value)
  } catch (error) {
    const denied: Ending = { kind: 'denied', reason: 'A hook failed.' }
    return [hookFailure('beforeToolCall', messageOf(error)), ended(preparation, denied)]
  }
}

async function verdictOfHooks(
  preparation: Preparation,
  asWritten: JsonObject,
  parsed: unknown,
): Promise<readonly Draft[]> {
  const { call, hooks, patience } = preparation
  const { toolCallId, toolName } = call
  let args = asWritten
  let input = parsed
  let mustAsk = false
  for (const { beforeToolCall } of hooks) {
    if (!beforeToolCall) continue
    const subject = { toolCallId, toolName, args: structuredClone(args) }
    const verdict = await callHook((options) => beforeToolCall(subject, options), patience)
    if (!isAnswer(verdict, verdictForm)) continue
    if (isBlock(verdict)) {
      const { reason: given, terminate } = verdict
      const reason = typeof given === 'string' ? given : undefined
      return [ended(preparation, { kind: 'denied', ...defined({ reason, terminate }) })]
    }
    mustAsk ||= verdict.requireApproval === true
    if (verdict.args === undefined) continue
    const given = readJson(verdict.args)
    if (!isJsonObject(given)) throw new TypeError('It gave arguments that are not JSON.')
    // Arguments from a hook are checked as the model's are.
    const check = await checkInput(preparation, given)
    if (!check.ok) return [refusal(preparation, check.message)]
    args = given
    input = check.value
  }
  const isAsked = !preparation.isManual && (mustAsk || (await needsApproval(preparation, input)))
  if (!isAsked) return [prepared(preparation, args)]
  const digest = await digestOf(preparation, args)
  if (digest === null) return [ended(preparation, { kind: 'not_started', message: noDigest })]
  // The arguments are frozen, so that no listener can change them between approval and run.
  const asked = { toolCallId, toolName, args: frozen(args), argsDigest: digest }
  return [{ type: 'tool_approval_requested', ...asked }]
}

const verdictForm = {
  fields: ['block', 'args', 'requireApproval'],
  flags: ['block', 'requireApproval'],
}

const noDigest: string =
  'The user could not be asked to allow this call: a part of the page could not be loaded.'

/** The digest that an approval has to name; `null` if the code for it cannot be loaded. */
async function digestOf(
  { call, environment }: Preparation,
  args: JsonObject,
): Promise<string | null> {
  const { toolCallId, toolName, retry } = call
  // The number of the retry goes into the digest, so that an answer to an earlier attempt does not allow this one. No
  // id has a space.
  const asked = retry ? `${toolCallId} ${retry.seq}` : toolCallId
  try {
    return await environment.sha256(approvedText(asked, toolName, args))
  } catch {
    return null
  }
}

// The arguments stay as the model wrote them: the schema's defaults and transforms are applied where the tool runs.
function prepared({ toolCallId }: Preparation, effectiveArgs: JsonObject): ToolPreparedDraft {
  return { type: 'tool_prepared', toolCallId, effectiveArgs: frozen(effectiveArgs) }
}

async function needsApproval({ tool, patience }: Preparation, input: unknown): Promise<boolean> {
  const asks = tool?.needsApproval ?? false
  if (typeof asks !== 'function') return asks
  try {
    // Whatever else it says is no permission to run the call unasked.
    return (await callHook(() => asks(input), patience)) !== false
  } catch (cause) {
    throw new Error(`needsApproval of "${tool?.name}": ${messageOf(cause)}`, { cause })
  }
}

async function checkInput({ tool, patience }: Preparation, args: JsonObject): Promise<ArgsCheck> {
  if (!tool) return { ok: true, value: args }
  try {
    return await callHook(() => checkArgs(tool, structuredClone(args)), patience)
  } catch (error) {
    return { ok: false, message: `The arguments could not be checked: ${messageOf(error)}` }
  }
}

/** A call whose arguments the model wrote wrong. */
function unfit(preparation: Preparation, args: JsonObject, problem: string): Draft {
  return preparation.isManual
    ? { ...prepared(preparation, args), isUnchecked: true }
    : refusal(preparation, problem)
}

function refusal(preparation: Preparation, problem: string): Draft {
  return ended(preparation, { kind: 'invalid_args', problem })
}

function ended({ call, maxToolResultChars }: Preparation, ending: Ending): Draft {
  return endOfCall(call, ending, maxToolResultChars)
}
