import type { RunError } from '../../packages/core/src/kernel/run-error.ts'
import {
  type FinishReason,
  type ModelChunk,
  ModelError,
} from '../../packages/core/src/model/port.ts'
import type { AnswerPlan, CallPlan, EndPlan, FailureKind, PartPlan } from '../plan.ts'
import { secret } from './secret.ts'

/** What a stream does next: give a chunk, break, end without having finished, or wait for ever. */
export type StreamStep =
  | { readonly chunk: ModelChunk }
  | { readonly error: Error }
  | { readonly nothing: 'ends' | 'stalls' }

/** An answer as the steps of its stream. `numberOf` gives each call its number in the plan. */
export function stepsOfAnswer(
  answer: AnswerPlan,
  numberOf: (call: CallPlan) => number,
): readonly StreamStep[] {
  const chunks = answer.parts.flatMap((part, index) => chunksOfPart(part, index, numberOf))
  const steps: StreamStep[] = chunks.map((chunk) => ({ chunk }))
  // A block that is still open when the stream finishes.
  if ('broken' in answer.end && answer.end.broken === 'open_block') steps.pop()
  return [...steps, ...stepsOfEnd(answer)]
}

function chunksOfPart(
  part: PartPlan,
  contentIndex: number,
  numberOf: (call: CallPlan) => number,
): readonly ModelChunk[] {
  if ('say' in part) {
    return [
      { type: 'text_start', contentIndex },
      ...halves(part.say).map((delta) => ({ type: 'text_delta', contentIndex, delta }) as const),
      { type: 'text_end', contentIndex },
    ]
  }
  if ('think' in part) {
    return [
      { type: 'thinking_start', contentIndex },
      { type: 'thinking_delta', contentIndex, delta: part.think },
      { type: 'thinking_end', contentIndex, signature: `signed ${part.think}` },
    ]
  }
  const args = argsTextOf(part, numberOf(part))
  return [
    { type: 'toolcall_start', contentIndex, toolName: part.call },
    ...halves(args).map((delta) => ({ type: 'toolcall_delta', contentIndex, delta }) as const),
    { type: 'toolcall_end', contentIndex },
  ]
}

function argsTextOf({ args }: CallPlan, n: number): string {
  switch (args) {
    case 'misfit':
      return JSON.stringify({ m: n })
    case 'broken':
      return '{"n":'
    case 'list':
      return '[1]'
    case 'same':
      return '{"n":-1}'
    default:
      return JSON.stringify({ n })
  }
}

function halves(text: string): readonly string[] {
  const middle = text.length >> 1
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '')
}

function stepsOfEnd({ end, tokens = 10 }: AnswerPlan): readonly StreamStep[] {
  const usage = { inputTokens: Math.ceil(tokens / 2), outputTokens: Math.floor(tokens / 2) }
  const finish = (stopReason: FinishReason): StreamStep => ({
    chunk: { type: 'finish', stopReason, usage: { ...usage, cost: tokens / 1000 } },
  })
  if ('stop' in end) return [finish(end.stop)]
  if ('fail' in end) return [{ error: failure(end) }]
  switch (end.broken) {
    case 'breaks_off':
      return [{ nothing: 'ends' }]
    case 'stalls':
      return [{ nothing: 'stalls' }]
    case 'garbled':
      return [{ chunk: { type: 'text_delta', contentIndex: 99, delta: 'x' } }, finish('stop')]
    case 'open_block':
      return [finish('tool_use')]
    case 'throws':
      return [{ error: new TypeError('The adapter is broken.') }]
  }
}

const retryable: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'rate_limited',
  'overloaded',
  'network',
  'stalled',
  'truncated_stream',
])

function failure({ fail, retryAfterMs }: Extract<EndPlan, { fail: FailureKind }>): ModelError {
  const failed: RunError = {
    kind: fail,
    message: 'The provider failed.',
    retryable: retryable.has(fail),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
  return new ModelError(failed, { cause: new Error(`The key was ${secret}.`) })
}
