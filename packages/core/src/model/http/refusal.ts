import { defined } from '../../internal/defined.ts'
import { isJsonObject, isList, type Json, type JsonObject, tryJson } from '../../internal/json.ts'
import { isJson } from '../../internal/read-json.ts'
import { isRetryable, type RunErrorKind } from '../../kernel/run-error.ts'
import type { ModelError } from '../port.ts'
import { explained } from './explained.ts'
import type { Refusal, Target } from './failures.ts'
import { textIn } from './fields.ts'
import { redacted } from './redacted.ts'

/** What a server said when it refused, in the words all providers share. */
interface Words {
  readonly status: number | undefined
  readonly type: string
  readonly code: string
  readonly message: string
}

/** Characters in which a server says what is wrong. */
const longestSentence = 2000

/** Characters of a detail: it is a name or an id, whatever a server puts there. */
const longestDetail = 200

/** Makes an error of what a server said. */
export function refused(
  { said, headers, status: own }: Refusal,
  target: Target,
): Promise<ModelError> {
  const words = wordsIn(said)
  const { type, code, message } = words
  const status = own ?? words.status
  const kind = kindOf({ ...words, status })
  const retryAfterMs = readRetryAfter(headers)
  const isFinal = headers?.get('x-should-retry') === 'false'
  const requestId = headers?.get('x-request-id') ?? headers?.get('request-id') ?? ''
  const details = Object.fromEntries(
    Object.entries({ type, code, requestId })
      .filter(([, value]) => value !== '')
      .map(([key, value]) => [key, redacted(value, target).slice(0, longestDetail)]),
  )
  return explained(
    {
      kind,
      retryable: isRetryable(kind) && !isFinal,
      ...defined({ status, retryAfterMs }),
      ...(Object.keys(details).length > 0 && { details }),
    },
    { ...target, isFinal, reason: redacted(message, target).slice(0, 500) },
  )
}

function kindOf({ status: reported, type, code, message: all }: Words): RunErrorKind {
  // The text is cut first, because looking for a sentence may cost the square of the length.
  const message = all.slice(0, longestSentence)
  if (/spend_limit|billing|insufficient_quota|budget_exceeded/.test(`${code} ${type}`))
    return 'billing'
  if (code === 'context_length_exceeded') return 'context_overflow'
  if (reported === undefined && tooLong.test(message)) return 'context_overflow'
  const status = reported ?? statusOfType.get(code) ?? statusOfType.get(type)
  if (status === 400) {
    if (code === 'invalid_api_key' || badKey.test(message)) return 'auth'
    if (/credit balance|usage limits/i.test(message)) return 'billing'
    if (tooLong.test(message)) return 'context_overflow'
  }
  if (status === undefined || status >= 500) return 'overloaded'
  return kindOfStatus.get(status) ?? 'bad_request'
}

/** The kind of failure that a status alone means. */
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

const badKey = /(incorrect|invalid) api key|api key (is )?(not valid|invalid)/i
const tooLong = /prompt is too long|context (limit|window|length)|exceeds? .*context/i

const statusOfType: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['invalid_api_key', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['timeout_error', 408],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
])

/** A longer pause than this is ignored, as an unreadable one is. */
const longestAdviceMs = 24 * 60 * 60_000

/** Milliseconds to wait, from seconds, milliseconds or a date. */
function readRetryAfter(headers: Headers | undefined): number | undefined {
  const exact = headers?.get('retry-after-ms') || 'none'
  const rough = headers?.get('retry-after') || 'none'
  const advice = [Number(exact), untilDateOrSeconds(rough)]
  const ms = advice.find((one) => one >= 0 && one <= longestAdviceMs)
  return ms === undefined ? undefined : Math.round(ms)
}

function untilDateOrSeconds(text: string): number {
  const seconds = Number(text)
  return Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000
}

/** Reads what came: JSON in any of the shapes that occur, plain text, or a page. */
function wordsIn(text: Json): Words {
  const read = typeof text === 'string' ? tryJson(text) : text
  // JSON that is nested too deeply is treated as text.
  const said = isJson(read) ? read : text
  const fields = errorFields(said)
  const { code, metadata, details } = fields
  // An object may have a field in place of its `toString`.
  const status = typeof code === 'object' ? Number.NaN : Number(code)
  const raw = isJsonObject(metadata) ? textIn(metadata, 'raw') : ''
  // The code of the details is more exact: a rate limit may be a spend limit.
  const exactCode = isJsonObject(details) ? textIn(details, 'error_code') : ''
  return {
    // A gateway that has answered with 200 already gives the status of the real answer as a code.
    status: status >= 400 && status < 600 ? status : undefined,
    code: exactCode || (Number.isNaN(status) ? textIn(fields, 'code') : ''),
    type: textIn(fields, 'type'),
    message: `${sentenceIn(said)} ${raw}`.trim(),
  }
}

function errorFields(said: Json | undefined): JsonObject {
  if (isList(said)) return errorFields(said[0])
  if (!isJsonObject(said)) return {}
  return isJsonObject(said['error']) ? said['error'] : said
}

function sentenceIn(said: Json | undefined): string {
  // A page of a proxy explains nothing.
  if (typeof said === 'string') return said.trimStart().startsWith('<') ? '' : said.trim()
  if (isList(said)) return said.map(sentenceIn).join('; ')
  if (!isJsonObject(said)) return ''
  const { error, message, detail, msg, loc } = said
  const sentence = sentenceIn(error ?? message ?? detail ?? msg)
  return isList(loc)
    ? `${loc.filter((name) => typeof name !== 'object').join('.')}: ${sentence}`
    : sentence
}
