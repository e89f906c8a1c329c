import type { RunError } from '../../packages/core/src/kernel/run-error.ts'
import {
  type FinishReason,
  type ModelChunk,
  ModelError,
} from '../../packages/core/src/model/port.ts'
import type { AnswerKind, AnswerPlan, CallPlan, EndPlan, FailureKind, PartPlan } from '../plan.ts'
import { secret } from './secret.ts'

/** What a stream does next: give a chunk, break, end without having finished, or wait for ever. */
export type StreamStep =
  | { readonly chunk: ModelChunk }
  | { readonly error: Error }
  | { readonly nothing: 'ends' | 'stalls' }

/** What the answer depends on besides the plan. */
export interface Writing {
  /** Gives each call its number in the plan. */
  readonly numberOf: (call: CallPlan) => number
  /** The tool that takes the final answer, if there is one. */
  readonly finalAnswer: string | undefined
}

/** An answer as the steps of its stream. */
export function stepsOfAnswer(answer: AnswerPlan, writing: Writing): readonly StreamStep[] {
  const chunks = answer.parts.flatMap((part, index) => chunksOfPart(part, index, writing))
  const steps: StreamStep[] = chunks.map((chunk) => ({ chunk }))
  // A block that is still open when the stream finishes.
  if ('broken' in answer.end && answer.end.broken === 'open_block') steps.pop()
  const isCall = chunks.some(({ type }) => type === 'toolcall_start')
  const end = isCall && 'stop' in answer.end && answer.end.stop === 'stop' ? calling : answer.end
  return [...steps, ...stepsOfEnd({ ...answer, end })]
}

const calling: EndPlan = { stop: 'tool_use' }

function chunksOfPart(
  part: PartPlan,
  contentIndex: number,
  { numberOf, finalAnswer }: Writing,
): readonly ModelChunk[] {
  if ('say' in part) return textChunks(part.say, contentIndex)
  if ('think' in part) {
    return [
      { type: 'thinking_start', contentIndex },
      { type: 'thinking_delta', contentIndex, delta: part.think },
      { type: 'thinking_end', contentIndex, signature: `signed ${part.think}` },
    ]
  }
  if ('answer' in part) {
    const text = answerTexts[part.answer]
    return finalAnswer !== undefined && part.answer !== 'fits_plainly'
      ? callChunks(finalAnswer, text, contentIndex)
      : textChunks(text, contentIndex)
  }
  return callChunks(part.call, argsTextOf(part, numberOf(part)), contentIndex)
}

/** The text of each kind of answer. Which of them fit is known, so no check is needed. */
export const answerTexts: Readonly<Record<AnswerKind, string>> = {
  fits: '{"fits":1}',
  fits_plainly: '{"fits":1}',
  misfits: '{"fits":"no"}',
  is_broken: '{"fits":',
}

function textChunks(text: string, contentIndex: number): readonly ModelChunk[] {
  return [
    { type: 'text_start', contentIndex },
    ...halves(text).map((delta) => ({ type: 'text_delta', contentIndex, delta }) as const),
    { type: 'text_end', contentIndex },
  ]
}

function callChunks(toolName: string, args: string, contentIndex: number): readonly ModelChunk[] {
  return [
    { type: 'toolcall_start', contentIndex, toolName },
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
