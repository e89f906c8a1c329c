import type { Json } from '../internal/json.ts'
import type { Usage } from '../kernel/message.ts'
import type { RunErrorKind } from '../kernel/run-error.ts'
import { problemOf } from '../kernel/transcript.ts'
import type { FinishReason, Model, ModelChunk, ModelRequest } from './port.ts'
import { ModelError } from './port.ts'

/** One part of a scripted answer. */
export type ScriptedPart =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'think'; readonly text: string; readonly signature: string }
  | { readonly type: 'call'; readonly toolName: string; readonly argsText: string }
  | { readonly type: 'fail'; readonly kind: RunErrorKind; readonly message: string }
  | { readonly type: 'hold' }
  | { readonly type: 'break_off' }
  | { readonly type: 'finish'; readonly stopReason: FinishReason }

/** The parts of one answer, or a function that makes them from the request. */
export type ScriptedAnswer =
  | readonly ScriptedPart[]
  | ((request: ModelRequest) => readonly ScriptedPart[])

/** A model that plays a script, and remembers what it was asked. */
export interface ScriptedModel extends Model {
  /** Every request so far, in order. */
  readonly requests: readonly ModelRequest[]
}

/** Text, streamed in small pieces. */
export const say = (text: string): ScriptedPart => ({ type: 'say', text })
/** Signed thinking. */
export const think = (text: string, signature = 'signed'): ScriptedPart => ({
  type: 'think',
  text,
  signature,
})
/** A tool call. Its input streams in small pieces. */
export const call = (toolName: string, args: Json = {}): ScriptedPart => ({
  type: 'call',
  toolName,
  argsText: JSON.stringify(args),
})
/** A tool call whose input is this text, JSON or not. */
export const rawCall = (toolName: string, argsText: string): ScriptedPart => ({
  type: 'call',
  toolName,
  argsText,
})
/** The request fails here. */
export const fail = (kind: RunErrorKind, message = 'It failed.'): ScriptedPart => ({
  type: 'fail',
  kind,
  message,
})
/** Streams nothing more until the request is aborted. */
export const hold = (): ScriptedPart => ({ type: 'hold' })
/** The stream ends without having finished. */
export const breakOff = (): ScriptedPart => ({ type: 'break_off' })
/** Finishes with this reason instead of the one that fits the parts. */
export const finish = (stopReason: FinishReason): ScriptedPart => ({ type: 'finish', stopReason })

/**
 * A model that answers from a script, one entry for each request. It is strict: a request whose transcript no
 * provider would accept, and one more request than there are answers, fail the run.
 *
 * @example
 * ```ts
 * const model = scriptedModel([call('clock')], [say('It is noon.')])
 * const agent = createAgent({ model, tools })
 * await agent.prompt('What time is it?')
 * expect(model.requests).toHaveLength(2)
 * ```
 */
export function scriptedModel(...answers: readonly ScriptedAnswer[]): ScriptedModel {
  const requests: ModelRequest[] = []
  return {
    identity: { provider: 'scripted', id: 'scripted' },
    requests,
    stream: (request, { signal }) => {
      requests.push(request)
      const problem = problemOf(request.messages)
      const answer = answers[requests.length - 1]
      if (problem) return failing('bad_request', problem)
      if (!answer)
        return failing('bad_request', `There is no answer ${requests.length} in the script.`)
      return play(typeof answer === 'function' ? answer(request) : answer, signal)
    },
  }
}

async function* failing(kind: RunErrorKind, message: string): AsyncGenerator<ModelChunk> {
  yield* play([fail(kind, message)], new AbortController().signal)
}

const usage: Usage = { inputTokens: 10, outputTokens: 5 }

async function* play(
  parts: readonly ScriptedPart[],
  signal: AbortSignal,
): AsyncGenerator<ModelChunk> {
  let contentIndex = 0
  for (const part of parts) {
    signal.throwIfAborted()
    switch (part.type) {
      case 'fail':
        throw new ModelError({ kind: part.kind, message: part.message, retryable: false })
      case 'hold':
        await aborted(signal)
        break
      case 'break_off':
        return
      case 'finish':
        yield { type: 'finish', stopReason: part.stopReason, usage }
        return
      default:
        yield* block(part, contentIndex)
        contentIndex += 1
    }
  }
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

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
