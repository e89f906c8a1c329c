import type { Draft } from '../kernel/draft.ts'
import { endOfCall } from '../kernel/ending.ts'
import { readArgs } from '../kernel/message.ts'
import { openCall } from '../kernel/state.ts'
import type { ToolCall } from '../kernel/tool-call.ts'
import type { Tool } from '../tools/definition.ts'
import { validateInput } from '../tools/validate-input.ts'
import type { EffectScope, Performance } from './effects.ts'

export interface PrepareCallPorts {
  readonly toolCallId: string
  readonly tool: Tool
  readonly maxToolResultChars: number
}

/** Checks the arguments of one call against its tool's schema. */
export function prepareCall(scope: EffectScope, ports: PrepareCallPorts): Performance {
  const call = openCall(scope.state(), ports.toolCallId)
  if (call) void prepare(scope, ports, call)
  return { update: () => {}, giveUp: () => {} }
}

async function prepare(scope: EffectScope, ports: PrepareCallPorts, call: ToolCall): Promise<void> {
  scope.commit(await verdictOn(call, ports))
}

async function verdictOn(call: ToolCall, ports: PrepareCallPorts): Promise<Draft> {
  const { toolCallId, argsText } = call
  const invalid = (problem: string): Draft =>
    endOfCall(call, { kind: 'invalid_args', problem }, ports.maxToolResultChars)
  const reading = readArgs(argsText)
  if (!reading.ok) return invalid(reading.problem)
  const check = await validateInput(ports.tool, reading.args)
  // The arguments stay as the model wrote them: defaults and transforms are applied where the tool runs.
  return check.ok
    ? { type: 'tool_prepared', toolCallId, effectiveArgs: reading.args }
    : invalid(check.message)
}
