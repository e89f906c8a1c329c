import type { Model, ModelChunk, ModelRequest } from '../../packages/core/src/model/port.ts'
import type { AnswerPlan, CallPlan } from '../plan.ts'
import { type StreamStep, stepsOfAnswer } from './chunks.ts'
import { secret } from './secret.ts'
import type { Scope, Timeline } from './timeline.ts'

/** What is reported of the model's requests, so that they are counted and judged. */
export interface ModelOptions {
  readonly timeline: Timeline
  readonly scope: Scope
  readonly nextAnswer: () => AnswerPlan | undefined
  readonly numberOf: (call: CallPlan) => number
  readonly noteRequest: (request: ModelRequest) => void
  readonly noteFault: (fault: string) => void
  /** Whether the model has a mechanism of its own for outputs. */
  readonly isNative: boolean
}

const identity = { provider: 'sim', id: 'sim-1' } as const

/** The answer to requests beyond those of the plan. */
const done: AnswerPlan = { parts: [{ say: 'Done.' }], end: { stop: 'stop' } }
const fits: AnswerPlan = { parts: [{ answer: 'fits' }], end: { stop: 'stop' } }

/** The model of one page. It answers from the plan, whatever the request is. */
export function createModel(options: ModelOptions): Model {
  return {
    identity,
    ...{ apiKey: secret },
    reportsCost: true,
    structuredOutput: options.isNative,
    stream: (request, { signal }) => {
      options.noteRequest(request)
      const finalAnswer = request.tools.find(({ name }) => name === 'final_answer')?.name
      const isAsked = finalAnswer !== undefined || request.output !== undefined
      const answer = options.nextAnswer() ?? (isAsked ? fits : done)
      const { numberOf } = options
      const steps = stepsOfAnswer(answer, { numberOf, finalAnswer })
      return { [Symbol.asyncIterator]: () => streamOf({ ...options, answer, steps, signal }) }
    },
  }
}

interface Streaming extends ModelOptions {
  readonly answer: AnswerPlan
  readonly steps: readonly StreamStep[]
  readonly signal: AbortSignal
}

type Chunk = IteratorResult<ModelChunk, undefined>

function streamOf(streaming: Streaming): AsyncIterator<ModelChunk, undefined> {
  const { answer, steps, signal, timeline, scope } = streaming
  let at = 0

  const perform = (resolve: (chunk: Chunk) => void, reject: (error: unknown) => void): void => {
    const step = steps[at++] ?? { nothing: 'ends' }
    noteFaultOf(step, streaming)
    if ('chunk' in step) resolve({ done: false, value: step.chunk })
    else if ('error' in step) reject(step.error)
    else if (step.nothing === 'ends') resolve({ done: true, value: undefined })
  }

  let refuse = (_reason: unknown): void => {}
  if (!answer.deaf) {
    signal.addEventListener('abort', () => refuse(signal.reason), { once: true })
  }
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (!answer.deaf && signal.aborted) return reject(signal.reason)
        refuse = reject
        // The first chunk always takes some time, as over a network.
        const ms = answer.paceMs ?? (at === 0 ? 1 : 0)
        if (ms === 0) perform(resolve, reject)
        else timeline.after(ms, () => perform(resolve, reject), scope)
      }),
    // For an adapter that ignores its signal, the clean-up never ends.
    return: () =>
      answer.deaf ? new Promise(() => {}) : Promise.resolve({ done: true, value: undefined }),
  }
}

function noteFaultOf(step: StreamStep, { answer, noteFault }: Streaming): void {
  if ('chunk' in step && step.chunk.type !== 'finish' && !isGarbled(step.chunk)) return
  if (answer.deaf) noteFault('model_deaf')
  const isMisfit = ({ answer: kind }: { answer: string }) => !kind.startsWith('fits')
  if (answer.parts.some((part) => 'answer' in part && isMisfit(part))) noteFault('model_misfit')
  if ('fail' in answer.end) noteFault(`model_${answer.end.fail}`)
  if ('broken' in answer.end) noteFault(`model_${answer.end.broken}`)
  if ('stop' in answer.end && answer.end.stop !== 'stop' && answer.end.stop !== 'tool_use') {
    noteFault(`model_${answer.end.stop}`)
  }
}

function isGarbled(chunk: ModelChunk): boolean {
  return 'contentIndex' in chunk && chunk.contentIndex === 99
}
