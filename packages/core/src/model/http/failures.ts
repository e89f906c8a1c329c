import type { Json } from '../../internal/json.ts'
import { isRetryable, type RunErrorKind } from '../../kernel/run-error.ts'
import { ModelError } from '../port.ts'

/** Where a request went, as far as an error may say it. */
export interface Target {
  readonly host: string
  readonly model: string
  /** The keys of the last requests, which a server may quote. */
  readonly keys: () => readonly string[]
  /** All that was sent and may be secret: keys and headers, whole and in pieces. */
  readonly secrets: () => readonly string[]
}

/** A failure of a kind. Whether another attempt may help is in its kind. */
export function failure(kind: RunErrorKind, message: string): ModelError {
  return new ModelError({ kind, message, retryable: isRetryable(kind) })
}

export function noKey(problem: string): ModelError {
  return failure('auth', `${problem} Enter it again.`)
}

/** The request has no message that a model could answer. */
export function nothingToAnswer(): ModelError {
  return failure('bad_request', 'There is no message. Send one.')
}

export function late({ host }: Target): ModelError {
  return failure('timeout', `${host} did not answer in time. Try again.`)
}

export function cutOff({ host }: Target): ModelError {
  return failure('network', `The connection to ${host} was lost. Try again.`)
}

/** A failed request, before it is known what the failure means. */
export type Failure =
  | Refusal
  /** No answer came: a page sees the same error for many reasons. */
  | { readonly what: 'unreachable' }
  | { readonly what: 'redirect'; readonly contentType?: never }
  /** Something else than a stream of events came, such as a login page. */
  | { readonly what: 'not_a_stream'; readonly contentType: string }

/** A server said that it does not answer. */
export interface Refusal {
  readonly what: 'refused'
  /** The HTTP status. Absent for an error in the middle of a stream: the answer began with 200. */
  readonly status?: number
  readonly headers?: Headers | undefined
  /** The words of the server: its answer as text, or the JSON in it. */
  readonly said: Json
}

/** A failure on its way to `exchange`, which makes a `ModelError` of it. */
export class Failed extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super()
    this.failure = failure
  }
}
