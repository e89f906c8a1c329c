import { StorageError, type StorageErrorKind } from '@offthread/core/storage'
import { isObject } from './is-object.ts'
import { messageOf } from './message-of.ts'

/** What JetStream has refused. The numbers are those of the server. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly number: number

  constructor(number: number, description: string) {
    super(description)
    this.number = number
  }
}

/** No answer came, so what was asked for may have been done or not. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** `'none'`: the server found no client that could answer. */
  readonly why: 'late' | 'cut' | 'none'

  constructor(why: 'late' | 'cut' | 'none', subject: string) {
    super(`${texts[why]} (${subject})`)
    this.why = why
  }
}

const texts = {
  late: 'the answer did not come in time',
  cut: 'the connection was cut',
  none: 'nothing answers',
} as const

export const wrongLastSequence = 10_071
export const noMessage = 10_037
export const noStream = 10_059

/** What went wrong at the server, as an error of a storage. */
export function failureOf(thrown: unknown): StorageError {
  if (thrown instanceof StorageError) return thrown
  const options = { cause: thrown }
  if (thrown instanceof ApiError) {
    const known = refusals[thrown.number]
    const says = `The NATS server says: ${thrown.message} (${thrown.number}).`
    return known
      ? new StorageError(known[0], `${known[1]} ${says}`, options)
      : new StorageError('unknown', says, options)
  }
  if (thrown instanceof NoAnswer)
    return new StorageError('unavailable', unanswered(thrown), options)
  const named = causes(thrown).map(({ name }) => name)
  if (named.includes('PermissionViolationError')) {
    const { operation = 'use', subject = 'a subject' } = violationIn(thrown)
    const message = `This user may not ${operation} "${subject}" at the NATS server. Its permissions have to allow what the guide of this storage lists.`
    return new StorageError('unavailable', message, options)
  }
  if (named.some((name) => /Authorization|AuthenticationExpired/u.test(name))) {
    const message =
      'The NATS server refused the credentials: they are wrong, or have expired. Sign in again, and check what the connection is made with.'
    return new StorageError('unavailable', message, options)
  }
  return new StorageError('unknown', messageOf(thrown), options)
}

/** Why a connection was not made. */
export function connectFailure(thrown: unknown): StorageError {
  const failure = failureOf(thrown)
  if (failure.kind !== 'unknown') return failure
  return new StorageError(
    'unavailable',
    `The NATS server cannot be reached (${failure.message}). Check its address. A page needs the WebSocket of the server, which its configuration turns on: websocket { port: 443, tls { … } }.`,
    { cause: thrown },
  )
}

function unanswered({ why, message }: NoAnswer): string {
  return why === 'none'
    ? `The NATS server stores nothing now: JetStream is off, its stream is gone, or its cluster has no majority. Nothing is lost of what was stored (${message}).`
    : `The NATS server does not answer: ${message}. What is not stored is tried again when it does.`
}

/** The error for a session to which others write all the time. */
export function changedTooOften(): StorageError {
  return new StorageError(
    'conflict',
    'The session was changed each time between a look at it and the write after that. Try again.',
  )
}

const full: readonly [StorageErrorKind, string] = [
  'full',
  'The NATS server gives this storage no more space. Delete old sessions, or raise the limits of the account and of its streams.',
]
const tooLarge: readonly [StorageErrorKind, string] = [
  'unknown',
  'A message is larger than the stream takes. Raise max_msg_size of the stream.',
]
const off: readonly [StorageErrorKind, string] = [
  'unavailable',
  'JetStream is not enabled for this account. Add "jetstream: enabled" to the account in the configuration of the server.',
]

const refusals: { readonly [number: number]: readonly [StorageErrorKind, string] } = {
  ...{ 10002: full, 10023: full, 10028: full, 10047: full, 10077: full },
  ...{ 10026: full, 10054: tooLarge, 10035: off, 10039: off, 10076: off },
}

interface Cause {
  readonly name: string
}

/** A thrown value, with the errors that caused it. */
function causes(thrown: unknown): readonly Cause[] {
  return thrown instanceof Error ? [thrown, ...causes(thrown.cause)] : []
}

function violationIn(thrown: unknown): { readonly operation?: string; readonly subject?: string } {
  const found = causes(thrown).find(({ name }) => name === 'PermissionViolationError')
  if (!isObject(found)) return {}
  const { operation, subject } = found
  return {
    ...(typeof operation === 'string' && { operation }),
    ...(typeof subject === 'string' && { subject }),
  }
}
