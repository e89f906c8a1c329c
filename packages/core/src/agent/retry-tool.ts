import { defined } from '../internal/defined.ts'
import { isJsonObject } from '../internal/json.ts'
import { readJson } from '../internal/read-json.ts'
import type { Draft } from '../kernel/draft.ts'
import { findNode } from '../kernel/fold-history.ts'
import { type RetryRefusal, retryOf } from '../kernel/manual-retry.ts'
import { carriedOutput } from '../kernel/output.ts'
import { startOf } from '../kernel/outside-run.ts'
import { hasEnded } from '../kernel/tool-call.ts'
import { ownerOf } from './calls.ts'
import { moveDrafts } from './history.ts'
import type { RunningSession } from './ports.ts'
import type { RetryWish } from './session/wish.ts'
import { AgentBusyError, AgentUsageError } from './usage-errors.ts'

/** A request to run a call once more, as it is posted. Throws a `TypeError` for arguments that are no JSON object. */
export function retryWish(
  toolCallId: string,
  { toolName, args: given }: { readonly toolName?: string; readonly args?: unknown },
): RetryWish {
  if (given === undefined) return { command: 'retryTool', toolCallId, toolName }
  const args = readJson(given)
  if (isJsonObject(args)) return { command: 'retryTool', toolCallId, toolName, args }
  throw new TypeError('The args of a retry must be a JSON object.')
}

/** Runs a call once more: in the run that is active, or in one of its own. */
export function retryStart(
  parts: RunningSession,
  { toolCallId, toolName, args }: RetryWish,
): readonly Draft[] {
  const { runtime } = ownerOf(parts, toolCallId)
  const state = runtime.state()
  const way = retryOf(state, toolCallId)
  if (way.refusal) throw refused(toolCallId, way.refusal)
  const { call, from } = way
  const start = from === null ? state.head : findNode(state, from)
  // A log that was made up may have two messages of one name: the head would go to the other one.
  if (from !== null && !start?.calls.includes(call)) throw refused(toolCallId, 'unknown')
  if (toolName !== undefined && toolName !== call.toolName) {
    throw new AgentUsageError(
      'not_retryable',
      `The call ${toolCallId} is one of "${call.toolName}", not of "${String(toolName)}". Retry it with the toolName of the call.`,
    )
  }
  if (args && !hasEnded(call)) {
    throw new AgentUsageError(
      'not_retryable',
      `The call ${toolCallId} was cut off with its page, and goes on with the arguments that it has. Retry it without args, or cancel it first.`,
    )
  }
  const request = {
    type: 'tool_retry_requested',
    toolCallId,
    by: 'user',
    ...defined({ args }),
  } as const
  if (!state.run) {
    // The new run has to end with the output of the last run, even if that run had one. The last run may have ended at
    // the message to which the conversation goes back, so that is looked at, too.
    const output =
      carriedOutput(state, 'regenerate') ?? carriedOutput({ ...state, head: start }, 'regenerate')
    const back = from === null ? [] : moveDrafts(runtime, from)
    return [...back, startOf('continue', parts.settings().kernel, defined({ output })), request]
  }
  if (runtime === parts.runtime) return [request]
  runtime.write(request)
  return []
}

function refused(toolCallId: string, why: RetryRefusal): Error {
  switch (why) {
    case 'unknown':
      return new AgentUsageError(
        'unknown_call',
        `There is no call ${String(toolCallId)} on this branch of the conversation. Use the toolCallId of a call that is shown.`,
      )
    case 'open':
      return new AgentUsageError(
        'not_retryable',
        `The call ${toolCallId} has not ended. Wait for its end, or cancel it first.`,
      )
    case 'cut_off':
      return new AgentUsageError(
        'not_retryable',
        `The answer that makes the call ${toolCallId} was cut off. Use regenerate() to have the question answered again.`,
      )
    case 'busy':
      return new AgentBusyError(
        `Cannot retry ${toolCallId} while a run is active that has gone on without it. Wait for the run, or abort() it first.`,
      )
  }
}
