import { untilAborted } from '../internal/abort.ts'
import type { Json } from '../internal/json.ts'
import type { ModelIdentity, Usage } from '../kernel/message.ts'
import { isRetryable, type RunError, type RunErrorKind } from '../kernel/run-error.ts'
import {
  type FinishReason,
  type Model,
  type ModelChunk,
  ModelError,
  type ModelRequest,
} from '../model/port.ts'
import {
  type AllOf,
  checkAnswer,
  checkKind,
  checkReason,
  checkText,
  checkToolName,
  checkUsage,
} from './script-checks.ts'
import { transcriptProblems } from './strict-transcript.ts'

/** One part of a scripted answer. */
export type ScriptedPart =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'think'; readonly text: string; readonly signature: string }
  | { readonly type: 'call'; readonly toolName: string; readonly argsText: string }
  | { readonly type: 'fail'; readonly error: RunError }
  | { readonly type: 'hold' }
  | { readonly type: 'break_off' }
  | { readonly type: 'uses'; readonly usage: Partial<Usage> }
  | {
      readonly type: 'finish'
      readonly stopReason: FinishReason
      readonly explanation: string | undefined
    }

/** The parts of one answer, or a function that makes them from the request. */
export type ScriptedAnswer =
  | readonly ScriptedPart[]
  | ((request: ModelRequest) => readonly ScriptedPart[])

/** What a scripted model says of itself. */
export interface ScriptedModelOptions {
  /** Whether the usage of its answers carries a cost: 0 where no `uses()` states one. Default: false. */
  readonly reportsCost?: boolean
  /**
   * The model is asked for outputs by `request.output`, and not with a tool that takes the final answer. Default:
   * false.
   */
  readonly structuredOutput?: boolean
  /** Default: `{ provider: 'scripted', id: 'scripted' }`. */
  readonly identity?: ModelIdentity
}

/** A model that plays a script, and remembers what it was asked. */
export interface ScriptedModel extends Model {
  /** Every request so far, in order. */
  readonly requests: readonly ModelRequest[]
}

/** Text, streamed in small pieces. */
export const say = (text: string): ScriptedPart => {
  checkText('say()', text)
  return { type: 'say', text }
}
/** Signed thinking. */
export const think = (text: string, signature = 'signed'): ScriptedPart => {
  checkText('think()', text)
  return { type: 'think', text, signature }
}
/** A tool call. Its input streams in small pieces. */
export const call = (toolName: string, args: Json = {}): ScriptedPart => {
  checkToolName('call()', toolName)
  return { type: 'call', toolName, argsText: JSON.stringify(args) }
}
/** A tool call whose input is this text, JSON or not. */
export const rawCall = (toolName: string, argsText: string): ScriptedPart => {
  checkToolName('rawCall()', toolName)
  checkText('The input of rawCall()', argsText)
  return { type: 'call', toolName, argsText }
}
/** The request fails here. It may be tried again if failures of this kind may, or as `details` say. */
export const fail = (
  kind: RunErrorKind,
  message = 'It failed.',
  details: Partial<Omit<RunError, 'kind' | 'message'>> = {},
): ScriptedPart => {
  checkKind(kind)
  return { type: 'fail', error: { kind, message, retryable: isRetryable(kind), ...details } }
}
/** Streams nothing more until the request is aborted. */
export const hold = (): ScriptedPart => ({ type: 'hold' })
/** The stream ends without having finished. */
export const breakOff = (): ScriptedPart => ({ type: 'break_off' })
/**
 * The usage of this answer, at any place among its parts. Figures that are left out stay at 10 input tokens and 5
 * output tokens. Say `reportsCost` of a model with `cost`, or no run may have a budget in money.
 */
export const uses = (usage: Partial<Usage>): ScriptedPart => {
  checkUsage(usage)
  return { type: 'uses', usage }
}
/** Finishes with this reason instead of the one that fits the parts. A refusal may say why. */
export const finish = (stopReason: FinishReason, explanation?: string): ScriptedPart => {
  checkReason(stopReason)
  return { type: 'finish', stopReason, explanation }
}

/**
 * A model that answers from a script, one entry for each request. It is strict: a request whose history is illegal
 * fails as `bad_request`, with the first of its `transcriptProblems` as the message and all of them in
 * `details.problems`. One more request than there are answers fails as `bad_request`, too. What is no part or no answer
 * throws a `TypeError` where it is made.
 *
 * @example
 * ```ts
 * const model = scriptedModel([call('clock')], [say('It is noon.')])
 * const agent = createAgent({ model, tools })
 * await agent.prompt('What time is it?')
 * expect(model.requests).toHaveLength(2)
 *
 * const priced = scriptedModel({ reportsCost: true }, [say('Hi.'), uses({ cost: 0.02 })])
 * ```
 */
export function scriptedModel(...answers: readonly ScriptedAnswer[]): ScriptedModel
export function scriptedModel(
  options: ScriptedModelOptions,
  ...answers: readonly ScriptedAnswer[]
): ScriptedModel
export function scriptedModel(
  ...given: readonly (ScriptedModelOptions | ScriptedAnswer)[]
): ScriptedModel {
  const [first, ...others] = given
  const options = isOptions(first) ? first : {}
  const script = isOptions(first) ? others : given
  for (const [index, answer] of script.entries()) checkAnswer(answer, index + 1, partTypes)
  const answers = script.filter(isAnswer)
  const {
    reportsCost = false,
    structuredOutput = false,
    identity = { provider: 'scripted', id: 'scripted' },
  } = options
  const defaults: Usage = { inputTokens: 10, outputTokens: 5, ...(reportsCost && { cost: 0 }) }
  const requests: ModelRequest[] = []
  return {
    identity,
    ...(reportsCost && { reportsCost }),
    ...(structuredOutput && { structuredOutput }),
    requests,
    stream: (request, { signal }) => {
      requests.push(request)
      const problems = transcriptProblems(request.messages)
      const [problem] = problems
      const answer = answers[requests.length - 1]
      const playing = { defaults, signal }
      if (request.output && !structuredOutput) {
        const unasked = 'It has no structuredOutput, and is asked for an output all the same.'
        return play([fail('bad_request', unasked)], playing)
      }
      if (problem !== undefined) {
        return play([fail('bad_request', problem, { details: { problems } })], playing)
      }
      if (!answer) {
        const missing = `There is no answer ${requests.length} in the script.`
        return play([fail('bad_request', missing)], playing)
      }
      const parts = typeof answer === 'function' ? answer(request) : answer
      checkAnswer(parts, requests.length, partTypes)
      return play(parts, playing)
    },
  }
}

const partTypes: AllOf<ScriptedPart['type']> = {
  ...{ say: true, think: true, call: true, fail: true, hold: true, break_off: true },
  ...{ uses: true, finish: true },
}

const optionNames = ['reportsCost', 'structuredOutput', 'identity']

function isOptions(
  given: ScriptedModelOptions | ScriptedAnswer | undefined,
): given is ScriptedModelOptions {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false
  return Object.keys(given).every((name) => optionNames.includes(name))
}

function isAnswer(given: ScriptedModelOptions | ScriptedAnswer): given is ScriptedAnswer {
  return typeof given === 'function' || Array.isArray(given)
}

interface Playing {
  readonly defaults: Usage
  readonly signal: AbortSignal
}

async function* play(
  parts: readonly ScriptedPart[],
  { defaults, signal }: Playing,
): AsyncGenerator<ModelChunk> {
  const usage = { ...defaults }
  for (const part of parts) if (part.type === 'uses') Object.assign(usage, part.usage)
  let contentIndex = 0
  for (const part of parts) {
    signal.throwIfAborted()
    switch (part.type) {
      case 'fail':
        throw new ModelError(part.error)
      case 'hold':
        await untilAborted(new Promise(() => {}), signal)
        break
      case 'break_off':
        return
      case 'uses':
        break
      case 'finish': {
        const { stopReason, explanation } = part
        yield {
          type: 'finish',
          stopReason,
          usage,
          ...(explanation !== undefined && { explanation }),
        }
        return
      }
      default:
        for (const chunk of block(part, contentIndex)) {
          signal.throwIfAborted()
          yield chunk
        }
        contentIndex += 1
    }
  }
  signal.throwIfAborted()
  const calls = parts.some((part) => part.type === 'call')
  yield { type: 'finish', stopReason: calls ? 'tool_use' : 'stop', usage }
}

type Block = Extract<ScriptedPart, { type: 'say' | 'think' | 'call' }>

function* block(part: Block, contentIndex: number): Generator<ModelChunk> {
  switch (part.type) {
    case 'say':
      yield { type: 'text_start', contentIndex }
      for (const delta of pieces(part.text)) yield { type: 'text_delta', contentIndex, delta }
      yield { type: 'text_end', contentIndex }
      break
    case 'think':
      yield { type: 'thinking_start', contentIndex }
      yield { type: 'thinking_delta', contentIndex, delta: part.text }
      yield { type: 'thinking_end', contentIndex, signature: part.signature }
      break
    case 'call':
      yield { type: 'toolcall_start', contentIndex, toolName: part.toolName }
      for (const delta of pieces(part.argsText))
        yield { type: 'toolcall_delta', contentIndex, delta }
      yield { type: 'toolcall_end', contentIndex }
      break
  }
}

function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,8}/g) ?? []
}
