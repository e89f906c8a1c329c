import { platformClock } from '../../internal/clock.ts'
import { withTimeout } from '../../internal/with-timeout.ts'
import type { RunError, RunErrorKind } from '../../kernel/run-error.ts'
import { ModelError } from '../port.ts'
import type { Diagnosis } from './explain.ts'

/** Where a request went, as far as an error may say it. */
export interface Target {
  readonly host: string
  readonly model: string
  /** Takes key material out of a text that came from the server. */
  readonly redact: (text: string) => string
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

export function late({ host }: Target): ModelError {
  return failure('timeout', `${host} did not answer in time. Try again.`)
}

export function cutOff({ host }: Target): ModelError {
  return failure('network', `The connection to ${host} was lost. Try again.`)
}

export function isRetryable(kind: RunErrorKind): boolean {
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

/** Milliseconds that the sentence of a failure may take to load. */
const patienceMs = 3000

/**
 * The failure with a sentence that tells what to do about it. The sentences are loaded when a request fails; if they
 * do not come, a plain one takes their place, and nothing else changes.
 */
export async function explained(
  error: Omit<RunError, 'message'>,
  diagnosis: Omit<Diagnosis, 'kind' | 'status' | 'retryAfterMs'>,
): Promise<ModelError> {
  const message = await sentenceOf({ ...diagnosis, ...error }, error.retryable)
  return new ModelError({ ...error, message })
}

/** Something else than a stream of events came, such as a login page. */
export function notAStream(target: Target, contentType: string): Promise<ModelError> {
  const { host, model, redact } = target
  const [type = ''] = redact(contentType).split(';')
  const reason = type.slice(0, 100)
  const error = { kind: 'protocol', retryable: true } as const
  return explained(error, { host, model, reason, obstacle: 'not_a_stream' })
}

async function sentenceOf(diagnosis: Diagnosis, isRetryable: boolean): Promise<string> {
  const { kind, host, status } = diagnosis
  try {
    const late = () => new Error('The sentences did not load.')
    const { explain } = await withTimeout(import('./explain.ts'), patienceMs, {
      clock: platformClock,
      late,
    })
    return explain(diagnosis)
  } catch {
    const what = status === undefined ? kind : `${kind}, status ${status}`
    return `The request to ${host} failed (${what}).${isRetryable ? ' Try again.' : ''}`
  }
}
