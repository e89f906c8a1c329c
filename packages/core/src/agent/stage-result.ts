import { defined } from '../internal/defined.ts'
import { messageOf } from '../internal/message-of.ts'
import { isWaitingForClient, type ToolCall } from '../kernel/tool-call.ts'
import type { ToolResult } from '../kernel/tool-outcome.ts'
import { callHook, type Patience } from '../runtime/hooks.ts'
import { keepArtifacts } from '../runtime/keep-artifacts.ts'
import type { Artifacts } from '../storage/artifacts.ts'
import type { Tool } from '../tools/definition.ts'
import type { OwnSettlement } from '../tools/protocol.ts'
import { settleReturned } from '../tools/result/settle-returned.ts'
import { unsettledCall } from './calls.ts'
import type { RunningAgent } from './ports.ts'
import { AgentUsageError } from './usage-errors.ts'

/** An answer from outside. */
export interface GivenResult {
  readonly result: unknown
  /** The tool that the app expects the call to be of, if it said so. */
  readonly toolName: string | undefined
  readonly isError: boolean
  /** Throws if nothing can be written any more. */
  readonly recheck: () => void
  /** Fires when nothing can be written any more. */
  readonly signal: AbortSignal
}

/** The agent whose calls are answered. */
interface AnsweredAgent extends RunningAgent {
  readonly artifacts: Artifacts
  readonly patience: (signal: AbortSignal) => Patience
}

/** Writes an answer that came from outside. */
export async function stageResult(
  parts: AnsweredAgent,
  toolCallId: string,
  given: GivenResult,
): Promise<void> {
  const isError: unknown = given.isError
  if (typeof isError !== 'boolean') throw new TypeError('isError must be true or false.')
  const call = answerableCall(parts, toolCallId)
  if (given.toolName !== undefined && given.toolName !== call.toolName) {
    throw new AgentUsageError(
      'not_answerable',
      `The call ${toolCallId} is one of "${call.toolName}", not of "${String(given.toolName)}". Answer it with the toolName of the call.`,
    )
  }
  const hosted = parts.settings().tools.get(call.toolName)
  // A failure has no output that could fit a schema.
  const outputSchema = given.isError ? undefined : hosted?.tool.outputSchema
  const tool = { name: call.toolName, outputSchema }
  const settlement = await settledInTime(parts, given, tool)
  if (settlement.kind === 'threw' && settlement.errorKind === 'invalid_result') {
    throw new TypeError(settlement.message)
  }
  // The call may have been answered or cancelled meanwhile, or the run may be over.
  given.recheck()
  answerableCall(parts, toolCallId)
  const staged = resultOf(parts, settlement)
  const hasFailed = isError || settlement.kind === 'threw'
  parts.runtime.write({
    type: 'tool_result_staged',
    toolCallId,
    result: staged,
    isError: hasFailed,
  })
}

/** The schema is the app's and may wait for something that never comes, so the time for it is limited. */
async function settledInTime(
  { patience }: AnsweredAgent,
  { result, recheck, signal }: GivenResult,
  tool: Pick<Tool, 'name' | 'outputSchema'>,
): Promise<OwnSettlement> {
  try {
    return await callHook(() => settleReturned(result, tool), patience(signal))
  } catch (thrown) {
    recheck()
    throw new TypeError(`The result of "${tool.name}" cannot be used: ${messageOf(thrown)}`)
  }
}

function resultOf({ artifacts }: AnsweredAgent, settlement: OwnSettlement): ToolResult {
  if (settlement.kind === 'threw') {
    const { message, details } = settlement
    return { content: [{ type: 'text', text: message }], ...defined({ details }) }
  }
  return keepArtifacts(settlement.result, artifacts)
}

function answerableCall(parts: RunningAgent, toolCallId: string): ToolCall {
  const call = unsettledCall(parts.runtime.state(), toolCallId)
  const { tools, kernel } = parts.settings()
  if (isWaitingForClient(call)) return call
  const { stage, toolName } = call
  const place = stage.kind === 'streaming' ? tools.get(toolName)?.tool.place : stage.place
  if (place === 'client' || kernel.toolMode === 'manual') {
    throw new AgentUsageError(
      'not_answerable',
      `The call ${toolCallId} was not checked yet. Answer it when the run waits for it.`,
    )
  }
  throw new AgentUsageError(
    'not_answerable',
    `The call ${toolCallId} is answered by its tool. Only calls of tools with place 'client', or of an agent with toolMode 'manual', are answered from outside.`,
  )
}
