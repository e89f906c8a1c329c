import type { JsonObject } from '../internal/json.ts'
import type { AssistantMessageEvent } from '../kernel/events.ts'
import type { Message, ModelIdentity, StopReason, Usage } from '../kernel/message.ts'
import type { RunError } from '../kernel/run-error.ts'

/** A tool as a model sees it. `inputSchema` is JSON Schema (draft 2020-12). */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

/** What an answer is to be, for a model with `structuredOutput`. */
export interface OutputFormat {
  /** JSON Schema of an object: no references, each object with `additionalProperties: false`. */
  readonly schema: JsonObject
  /** Whether all fields are required, everywhere: where some providers are strict they take nothing else. */
  readonly isStrict: boolean
}

/** What a model is asked. `messages` is a legal transcript: every call has exactly one result. */
export interface ModelRequest {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  /** The answer, where it calls no tool, is to be JSON of this form. Only asked of a model with `structuredOutput`. */
  readonly output?: OutputFormat
}

/** Why a model ended its answer. A failed request throws, and a stopped one does not finish. */
export type FinishReason = Exclude<StopReason, 'error' | 'aborted'>

/**
 * One step of an answer. `contentIndex` counts the blocks of the answer from 0; a block is started, grows by
 * deltas and is ended; blocks may interleave. `finish` comes last and exactly once: a stream that ends
 * without it is incomplete.
 */
export type ModelChunk =
  | Exclude<AssistantMessageEvent, { readonly type: 'toolcall_start' }>
  | {
      readonly type: 'toolcall_start'
      readonly contentIndex: number
      readonly toolName: string
      /** The id the provider gave the call. It gets one of ours. */
      readonly providerId?: string
    }
  | {
      readonly type: 'finish'
      readonly stopReason: FinishReason
      readonly usage: Usage
      /** Why the model refused, in the provider's words, for people. */
      readonly explanation?: string
    }

/**
 * A language model. An adapter turns one request into one stream of chunks and nothing else: it keeps no
 * history, runs no tool and does not retry.
 *
 * The stream throws a `ModelError` when the request fails, and `signal.reason` when it is aborted.
 */
export interface Model {
  readonly identity: ModelIdentity
  /** Whether its usage carries `cost`, so that a run may have a budget in money. Default: false. */
  readonly reportsCost?: boolean
  /**
   * The model follows `request.output` itself. Default: false, and an output is asked for with a tool that takes it.
   */
  readonly structuredOutput?: boolean
  readonly stream: (request: ModelRequest, options: StreamOptions) => AsyncIterable<ModelChunk>
}

/** The model's identity as events hold it. Throws a `TypeError` for one that they cannot hold. */
export function identityOf({ identity }: Model): ModelIdentity {
  const { provider, id } = identity ?? {}
  if (isName(provider) && isName(id)) return { provider, id }
  throw new TypeError(
    "A model needs an identity of two short texts, such as { provider: 'own', id: 'my-model' }.",
  )
}

/** A stored event with a longer name in it is not read again. */
const longestName = 1000

export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestName
}

/** How one answer is read. */
export interface StreamOptions {
  readonly signal: AbortSignal
  /**
   * Called for every sign of life of the provider that is no chunk, such as a ping, so that a model that thinks for
   * long does not count as silent. Default: chunks alone count.
   */
  readonly onAlive?: () => void
}

/** A failed request, with what a run reports about it. */
export class ModelError extends Error {
  override readonly name = 'ModelError'
  readonly error: RunError

  constructor(error: RunError, options?: { readonly cause?: unknown }) {
    super(error.message, options)
    this.error = error
  }
}

/** The answer does not keep to its form; `problem` says how, as the end of a sentence. */
export function garbled(problem: string): ModelError {
  const message = `The answer was garbled: ${problem}. Try again.`
  return new ModelError({ kind: 'protocol', message, retryable: true })
}

/** The most that one answer may have: more would hold the page, and no model writes so much. */
export const mostOfAnswer = { blocks: 4_000, calls: 1_000, characters: 16_000_000 } as const

export function tooMany(what: keyof typeof mostOfAnswer): ModelError {
  return tooLarge(`${mostOfAnswer[what]} ${what}`)
}

/** The answer is more than an agent takes: more than `most`. */
export function tooLarge(most: string): ModelError {
  const message = `The answer has more than ${most}. Ask for less at a time.`
  return new ModelError({ kind: 'too_large', message, retryable: false })
}

/** The answer ended before it was complete. */
export function truncated(): ModelError {
  const message = 'The answer broke off before its end. Try again.'
  return new ModelError({ kind: 'truncated_stream', message, retryable: true })
}
