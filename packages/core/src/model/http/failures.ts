import type { RunErrorKind } from '../../kernel/run-error.ts'
import { ModelError } from '../port.ts'

/** Where a request went, as far as an error may say it. */
export interface Target {
  readonly host: string
  readonly model: string
  /** Takes key material out of a text that came from the server. */
  readonly redact: (text: string) => string
}

/** What a server said when it refused, in the words all providers share. */
export interface Refusal {
  /** Absent for an error in the middle of a stream: the answer began with 200. */
  readonly status?: number
  readonly type?: string
  readonly code?: string
  readonly message?: string
  readonly requestId?: string
  readonly headers?: Headers
}

/** Characters of a detail: it is a name or an id, whatever a server puts there. */
const longestDetail = 200

/** Says what a refusal means, in a sentence that tells what to do about it. */
export function refused(refusal: Refusal, target: Target): ModelError {
  const kind = kindOf(refusal)
  const { status, headers } = refusal
  const retryAfterMs = readRetryAfter(headers)
  const details = Object.fromEntries(
    Object.entries({ type: refusal.type, code: refusal.code, requestId: refusal.requestId })
      .filter(([, value]) => value)
      .map(([key, value]) => [key, target.redact(String(value)).slice(0, longestDetail)]),
  )
  return new ModelError({
    kind,
    message: sentence(kind, { refusal, target, retryAfterMs }),
    retryable: isRetryable(kind) && headers?.get('x-should-retry') !== 'false',
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(Object.keys(details).length > 0 && { details }),
  })
}

/** A failure of a kind. Whether another attempt may help is in its kind. */
export function failure(kind: RunErrorKind, message: string): ModelError {
  return new ModelError({ kind, message, retryable: isRetryable(kind) })
}

export function noKey(problem: string): ModelError {
  return failure('auth', `${problem} Enter the API key again.`)
}

/** The request has no message that a model could answer. */
export function nothingToAnswer(): ModelError {
  return failure('bad_request', 'There is no message to answer. Send one first.')
}

export function notAStream({ host, redact }: Target, contentType: string): ModelError {
  const [type = ''] = redact(contentType).split(';')
  return failure(
    'protocol',
    `${host} answered with ${type.slice(0, 100)}, not with an event stream. Check \`baseURL\`, and whether a proxy or a login page is in between.`,
  )
}

/** The answer does not keep to its form; `problem` says how, as the end of a sentence. */
export function garbled(problem: string): ModelError {
  return failure('protocol', `The answer was garbled: ${problem}. Try again.`)
}

/** The answer ended before it was complete. */
export function truncated(): ModelError {
  return failure('truncated_stream', 'The answer broke off before its end. Try again.')
}

export function late({ host }: Target): ModelError {
  return failure('timeout', `${host} did not answer in time. Try again.`)
}

export function cutOff({ host }: Target): ModelError {
  return failure('network', `The connection to ${host} was lost. Try again.`)
}

function isRetryable(kind: RunErrorKind): boolean {
  return retryableKinds.has(kind)
}

const retryableKinds: ReadonlySet<RunErrorKind> = new Set<RunErrorKind>([
  'rate_limited',
  'overloaded',
  'network',
  'timeout',
  'protocol',
  'truncated_stream',
])

function kindOf({ status: reported, type = '', code = '', message = '' }: Refusal): RunErrorKind {
  if (/spend_limit|billing|insufficient_quota|budget_exceeded/.test(`${code} ${type}`))
    return 'billing'
  if (code === 'context_length_exceeded') return 'context_overflow'
  if (reported === undefined && tooLong.test(message)) return 'context_overflow'
  const status = reported ?? statusOfType.get(type) ?? statusOfType.get(code) ?? 500
  if (status === 400 && /credit balance|usage limits/i.test(message)) return 'billing'
  if (status === 400 && tooLong.test(message)) return 'context_overflow'
  if (status >= 500) return 'overloaded'
  return kindOfStatus.get(status) ?? 'bad_request'
}

const tooLong = /prompt is too long|context (limit|window|length)|exceeds? .*context/i

const kindOfStatus: ReadonlyMap<number, RunErrorKind> = new Map<number, RunErrorKind>([
  [401, 'auth'],
  [402, 'billing'],
  [403, 'permission'],
  [408, 'timeout'],
  [409, 'overloaded'],
  [413, 'too_large'],
  [425, 'overloaded'],
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
  ['rate_limit_exceeded', 429],
])

interface Circumstances {
  readonly refusal: Refusal
  readonly target: Target
  readonly retryAfterMs: number | undefined
}

function sentence(kind: RunErrorKind, circumstances: Circumstances): string {
  const { refusal, target, retryAfterMs } = circumstances
  const { host, model } = target
  switch (kind) {
    case 'auth':
      return `${host} did not accept the API key. Check it and enter it again.`
    case 'billing':
      return 'The account has no credit left or is at its spend limit. Add credit or raise it.'
    case 'permission':
      return `This key may not use ${model}. Use another key or another model.`
    case 'timeout':
      return late(target).message
    case 'too_large':
      return 'The request is too large. Send fewer or smaller attachments.'
    case 'rate_limited':
      return `Too many requests for this key. Wait ${waiting(retryAfterMs)} and try again.`
    case 'overloaded':
      // Waiting helps nobody there: who runs the server has said why.
      if (refusal.message && refusal.headers?.get('x-should-retry') === 'false')
        return withFullStop(`${host} cannot answer: ${reasonOf(refusal, target)}`)
      return `${host} is overloaded or out of order. Wait ${waiting(retryAfterMs)} and try again.`
    case 'context_overflow':
      return 'The conversation is too long for the model. Shorten it or start anew.'
    default:
      return refusal.status === 404
        ? `${host} knows no model "${model}" at this address. Check \`model\` and \`baseURL\`.`
        : withFullStop(`The request was refused: ${reasonOf(refusal, target)}`)
  }
}

function waiting(ms: number | undefined): string {
  if (ms === undefined || ms < 1000) return 'a moment'
  return ms < 90_000 ? `${Math.ceil(ms / 1000)} seconds` : `${Math.ceil(ms / 60_000)} minutes`
}

function reasonOf({ message = '', status }: Refusal, { redact }: Target): string {
  const said = redact(message).slice(0, 500)
  return said === '' ? `status ${status ?? 'unknown'}, no reason given.` : said
}

function withFullStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Milliseconds to wait, from seconds, milliseconds or a date. Garbage is no advice. */
function readRetryAfter(headers: Headers | undefined): number | undefined {
  const exact = headers?.get('retry-after-ms')
  const rough = headers?.get('retry-after')
  const advice = [
    exact ? Number(exact) : Number.NaN,
    rough ? untilDateOrSeconds(rough) : Number.NaN,
  ]
  const ms = advice.find((one) => Number.isFinite(one) && one >= 0)
  return ms === undefined ? undefined : Math.round(ms)
}

function untilDateOrSeconds(text: string): number {
  const seconds = Number(text)
  return Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000
}
