import type { AgentState, RunEndReason } from '@offthread/core'
import type { SdkChunk, SdkFinishReason } from './sdk-types.ts'

/** The SDK's names for the end of a run. After `interrupted` a chat does not continue by itself. */
const reasons: { readonly [Reason in RunEndReason]?: SdkFinishReason } = {
  stop: 'stop',
  refusal: 'content-filter',
  awaiting_approval: 'tool-calls',
  awaiting_tool_results: 'tool-calls',
}

/**
 * The last chunks of a stream, whose agent is at rest or waits for a person. `rejected`: why the prompt was refused.
 */
export function endChunks(
  { isActive, error, lastReason, messages }: AgentState,
  rejected: string | null,
): readonly SdkChunk[] {
  if (isActive) return [{ type: 'finish', finishReason: 'tool-calls' }]
  const errorText = error?.message ?? rejected
  if (errorText !== null) return [{ type: 'error', errorText }]
  const last = messages.at(-1)
  const isCut = last?.role === 'assistant' && last.stopReason === 'max_tokens'
  const reason = (lastReason && reasons[lastReason]) ?? 'interrupted'
  return [
    ...(lastReason === 'aborted' ? [{ type: 'abort' } as const] : []),
    { type: 'finish', finishReason: isCut ? 'length' : reason },
  ]
}
