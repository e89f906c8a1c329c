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
  { said, headers = new Headers(), status: own }: Refusal,
  target: Target,
): Promise<ModelError> {
  const words = wordsIn(said, own)
  const { status, type, code, message } = words
  const kind = kindOf(words)
  const retryAfterMs = readRetryAfter(headers)
  const isFinal = headers.get('x-should-retry') === 'false'
  const shown = (text: string | null) =>
    redacted(text ?? '', target).slice(0, longestDetail) || undefined
  const requestId = shown(headers.get('x-request-id') ?? headers.get('request-id'))
  const details = defined({ type: shown(type), code: shown(code), requestId })
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

function kindOf({ status, type, code, message }: Words): RunErrorKind {
  const names = `${code} ${type}`
  if (/spend_limit|billing|insufficient_quota|budget_exceeded/.test(names)) return 'billing'
  if (code === 'context_length_exceeded') return 'context_overflow'
  const kind = kindIn(`${status ?? names}`, kinds)
  if (kind && kind !== 'bad_request') return kind
  // The text is cut, because looking for a sentence may cost the square of the length.
  return (
    kindIn(`${code} ${message}`.slice(0, longestSentence), kindsOfWords) ?? kind ?? 'overloaded'
  )
}

type Kinds = readonly (readonly [pattern: RegExp, kind: RunErrorKind])[]

function kindIn(text: string, known: Kinds): RunErrorKind | undefined {
  return known.find(([pattern]) => pattern.test(text))?.[1]
}

/** What a status means, or the name of an error. */
const kinds: Kinds = [
  [/^401$|authentication_/, 'auth'],
  [/^402$/, 'billing'],
  [/^403$|permission_/, 'permission'],
  [/^408$|timeout_/, 'timeout'],
  [/^(409|425|[5-9]..)$/, 'overloaded'],
  [/^413$|request_too_large/, 'too_large'],
  [/^429$|rate_limit_/, 'rate_limited'],
  [/^...$|invalid_request_|not_found_/, 'bad_request'],
]

/** What a refusal means if its status or name could mean much. */
const kindsOfWords: Kinds = [
  [/(incorrect|invalid).api.key|api key (is )?(not |in)valid|unauthori|login fail/i, 'auth'],
  [/credit balance|insufficient balance|usage limits/i, 'billing'],
  [
    /(prompt|input) (is too long|length|token count|exceeds)|context (limit|window|length)|exceeds? .*context|model token limit/i,
    'context_overflow',
  ],
]

/** A longer pause than this is ignored, as an unreadable one is. */
const longestAdviceMs = 24 * 60 * 60_000

/** Milliseconds to wait, from milliseconds, seconds or a date. */
function readRetryAfter(headers: Headers): number | undefined {
  const given = (name: string) => headers.get(name) || '?'
  const rough = given('retry-after')
  const advice = [
    Number(given('retry-after-ms')),
    Number(rough) * 1000,
    Date.parse(rough) - Date.now(),
  ]
  const ms = advice.find((one) => one >= 0 && one <= longestAdviceMs)
  return ms && Math.round(ms)
}

/** Reads what came: JSON in any of the shapes that occur, plain text, or a page. */
function wordsIn(text: Json, own: number | undefined): Words {
  const read = typeof text === 'string' ? tryJson(text) : text
  // JSON that is nested too deeply is treated as text.
  const said = isJson(read) ? read : text
  const fields = errorFields(said)
  const { metadata, details } = fields
  const stated = statusIn(fields)
  return {
    status: own ?? (stated < 600 ? stated : undefined),
    // The code of the details is more exact: a rate limit may be a spend limit.
    code: textOf(details, 'error_code') || textIn(fields, 'code'),
    type: textIn(fields, 'type'),
    message: `${sentenceIn(said)} ${textOf(metadata, 'raw')}`.trim(),
  }
}

/**
 * The status that a server states in its words, because it has answered with 200 already, or a number of its own for
 * what is wrong. `NaN` if there is none.
 */
export function statusIn({ code, status }: JsonObject): number {
  // An object may have a field in place of its `toString`.
  return Number([code, status].find((one) => typeof one !== 'object' && Number(one) >= 400))
}

function textOf(fields: Json | undefined, key: string): string {
  return isJsonObject(fields) ? textIn(fields, key) : ''
}

function errorFields(said: Json | undefined): JsonObject {
  if (isList(said)) return errorFields(said[0])
  if (!isJsonObject(said)) return {}
  const inner = problemIn(said)
  return inner && typeof inner === 'object' ? errorFields(inner) : said
}

/** What a server says of an error is often in a field of its own. */
export function problemIn({
  error,
  errors,
  detail,
  base_resp: base,
}: JsonObject): Json | undefined {
  return error ?? errors ?? detail ?? base
}

function sentenceIn(said: Json | undefined): string {
  // A page of a proxy explains nothing.
  if (typeof said === 'string') return said.trimStart().startsWith('<') ? '' : said.trim()
  if (isList(said)) return said.map(sentenceIn).join('; ')
  if (!isJsonObject(said)) return ''
  const { message, msg, status_msg, loc } = said
  const sentence = sentenceIn(problemIn(said) ?? message ?? msg ?? status_msg)
  return isList(loc)
    ? `${loc.filter((name) => typeof name !== 'object').join('.')}: ${sentence}`
    : sentence
}
