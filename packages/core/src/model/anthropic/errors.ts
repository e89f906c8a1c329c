import {
  AnthropicError,
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
} from '@anthropic-ai/sdk/error'
import type { RunError, RunErrorKind } from '../../kernel/run-error.ts'
import { ModelError } from '../port.ts'

/** Where a request went, for the sentence a person reads. */
export interface AnthropicTarget {
  readonly host: string
  readonly model: string
  /** Takes key material out of a text that came from the server. */
  readonly redact: (text: string) => string
}

/**
 * Says what went wrong with a request, in a sentence that tells what to do about it.
 *
 * Errors of fetch and of the SDK are not kept as `cause`: both may quote headers, and so a key.
 */
export function toModelError(error: unknown, target: AnthropicTarget): ModelError {
  if (error instanceof ModelError) return error
  // The SDK wraps what the key function throws.
  if (error instanceof Error && error.cause instanceof ModelError) return error.cause
  if (error instanceof APIConnectionTimeoutError) {
    return failure('timeout', `${target.host} did not answer in time. Try again.`)
  }
  if (error instanceof APIConnectionError) return unreachable(target)
  if (isApiError(error)) return new ModelError(describe(error, target))
  if (error instanceof SyntaxError) return garbledAnswer('an event is not JSON')
  if (error instanceof AnthropicError) return garbledAnswer('it has no body')
  return failure('network', `The connection to ${target.host} was lost. Try again.`)
}

function isApiError(error: unknown): error is APIError {
  return error instanceof APIError
}

/** A request that never left, because its parts do not fit together. */
export function unsendableRequest(): ModelError {
  return failure('bad_request', 'The request could not be sent. Check `headers` and `baseURL`.')
}

export function noKey(problem: string): ModelError {
  return failure('auth', `${problem} Enter the API key again.`)
}

export function nothingToAnswer(): ModelError {
  return failure('bad_request', 'There is no message to answer. Send one first.')
}

export function notAStream({ host }: AnthropicTarget, contentType: string): ModelError {
  return failure(
    'protocol',
    `${host} answered with ${contentType}, not with an event stream. Check \`baseURL\`, and whether a proxy or a login page is in between.`,
  )
}

export function garbledAnswer(problem: string): ModelError {
  return failure('protocol', `The answer was garbled: ${problem}. Try again.`)
}

export function truncatedAnswer(): ModelError {
  return failure('truncated_stream', 'The answer broke off before its end. Try again.')
}

function unreachable({ host }: AnthropicTarget): ModelError {
  const isOffline = typeof navigator !== 'undefined' && navigator.onLine === false
  return failure(
    'network',
    isOffline
      ? 'This device is offline. Connect it and try again.'
      : `${host} could not be reached. Check the connection; a blocked request (CORS, content security policy, browser extension) looks the same.`,
  )
}

function failure(kind: RunErrorKind, message: string): ModelError {
  return new ModelError({ kind, message, retryable: retryableKinds.has(kind) })
}

const retryableKinds: ReadonlySet<RunErrorKind> = new Set<RunErrorKind>([
  'rate_limited',
  'overloaded',
  'network',
  'timeout',
  'protocol',
  'truncated_stream',
])

function describe(error: APIError, target: AnthropicTarget): RunError {
  const kind = kindOf(error)
  const hint = error.headers?.get('x-should-retry')
  const retryAfterMs = readRetryAfter(error.headers)
  const details = {
    ...(error.type && { type: target.redact(String(error.type)) }),
    ...(error.errorCode && { code: target.redact(error.errorCode) }),
    ...(error.requestID && { requestId: target.redact(error.requestID) }),
  }
  return {
    kind,
    message: sentence(kind, error, target),
    retryable: retryableKinds.has(kind) && hint !== 'false',
    ...(error.status !== undefined && { status: error.status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(Object.keys(details).length > 0 && { details }),
  }
}

function kindOf(error: APIError): RunErrorKind {
  const said = String(error.apiMessage ?? '')
  if (/spend_limit|billing/.test(error.errorCode ?? '')) return 'billing'
  // An error inside a stream has no status of its own: the answer began with 200.
  const status = error.status ?? statusOfType.get(String(error.type)) ?? 500
  if (status === 400 && /credit balance/i.test(said)) return 'billing'
  if (status === 400 && tooLong.test(said)) return 'context_overflow'
  if (status >= 500) return 'overloaded'
  return kindOfStatus.get(status) ?? 'bad_request'
}

const tooLong = /prompt is too long|context (limit|window|length)/i

const kindOfStatus: ReadonlyMap<number, RunErrorKind> = new Map<number, RunErrorKind>([
  [401, 'auth'],
  [402, 'billing'],
  [403, 'permission'],
  [408, 'timeout'],
  [409, 'overloaded'],
  [413, 'too_large'],
  [429, 'rate_limited'],
])

const statusOfType: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['timeout_error', 408],
  ['conflict_error', 409],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
])

function sentence(kind: RunErrorKind, error: APIError, target: AnthropicTarget): string {
  const say = sentences.get(kind)
  if (say) return say(target)
  return error.status === 404
    ? `${target.host} knows no model "${target.model}" at this address. Check \`model\` and \`baseURL\`.`
    : `The request was refused: ${reasonOf(error, target)}`
}

const sentences: ReadonlyMap<RunErrorKind, (target: AnthropicTarget) => string> = new Map<
  RunErrorKind,
  (target: AnthropicTarget) => string
>([
  ['auth', ({ host }) => `${host} did not accept the API key. Check it and enter it again.`],
  [
    'billing',
    () => 'The account has no credit left or is at its spend limit. Add credit or raise it.',
  ],
  ['permission', ({ model }) => `This key may not use ${model}. Use another key or another model.`],
  ['timeout', ({ host }) => `${host} did not answer in time. Try again.`],
  ['too_large', () => 'The request is too large. Send fewer or smaller attachments.'],
  ['rate_limited', () => 'Too many requests for this key. Wait a moment and try again.'],
  ['overloaded', ({ host }) => `${host} is overloaded or out of order. Wait and try again.`],
  [
    'context_overflow',
    () => 'The conversation is too long for the model. Shorten it or start anew.',
  ],
])

function reasonOf({ apiMessage, status }: APIError, { redact }: AnthropicTarget): string {
  const said = typeof apiMessage === 'string' ? redact(apiMessage).slice(0, 500) : ''
  return said === '' ? `status ${status ?? 'unknown'}, no reason given.` : said
}

/** Milliseconds to wait, from seconds, milliseconds or a date. Garbage is no advice. */
function readRetryAfter(headers: Headers | undefined): number | undefined {
  const exact = headers?.get('retry-after-ms')
  const rough = headers?.get('retry-after')
  const ms = exact ? Number(exact) : rough ? untilDateOrSeconds(rough) : Number.NaN
  return Number.isFinite(ms) && ms >= 0 ? Math.round(ms) : undefined
}

function untilDateOrSeconds(text: string): number {
  const seconds = Number(text)
  return Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000
}
