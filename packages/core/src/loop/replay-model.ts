import type { ToolCallContent } from '../kernel/message.ts'
import { noUsage } from '../kernel/message.ts'
import type { FinishReason, Model, ModelChunk } from '../model/port.ts'

/** A model whose only answer is given: these calls, as they were written. */
export function replayModel(calls: readonly ToolCallContent[], stopReason: FinishReason): Model {
  return {
    identity: { provider: 'offthread', id: 'replay' },
    stream: () => replay(calls, stopReason),
  }
}

async function* replay(
  calls: readonly ToolCallContent[],
  stopReason: FinishReason,
): AsyncGenerator<ModelChunk> {
  for (const [contentIndex, { toolName, argsText, providerId }] of calls.entries()) {
    const named = { toolName, ...(providerId !== undefined && { providerId }) }
    yield { type: 'toolcall_start', contentIndex, ...named }
    yield { type: 'toolcall_delta', contentIndex, delta: argsText }
    yield { type: 'toolcall_end', contentIndex }
  }
  yield { type: 'finish', stopReason, usage: noUsage }
}
