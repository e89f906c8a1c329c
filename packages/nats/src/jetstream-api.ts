import type { Json } from '@offthread/core'
import { StorageError, tryJson } from '@offthread/core/storage'
import { ApiError, NoAnswer } from './failure-of.ts'
import { isObject } from './is-object.ts'
import type { Link, Question } from './link.ts'

/** An answer of JetStream. */
export type Answer = { readonly [key: string]: unknown }

/** Sends JetStream a request that may be done twice. Rejects with an `ApiError` if JetStream refuses it. */
export async function askApi(link: Link, method: string, body: Json = {}): Promise<Answer> {
  const question = { subject: `$JS.API.${method}`, data: JSON.stringify(body) }
  return link.insist(() => askOnce(link, question))
}

/** Sends a request once. Rejects with a `NoAnswer` when it is not known whether it was done. */
export async function askOnce(link: Pick<Link, 'ask'>, question: Question): Promise<Answer> {
  const { data } = await link.ask(question)
  return readAnswer(data)
}

/** The codes that a cluster answers with while it elects a leader. */
const temporary = new Set([10_004, 10_008, 10_009])

const decoder = new TextDecoder()

export function readAnswer(data: Uint8Array): Answer {
  const answer = tryJson(decoder.decode(data))
  if (!isObject(answer)) throw new ApiError(0, 'an answer that is no JSON object')
  const { error } = answer
  if (!isObject(error)) return answer
  const [number, description] = [numberIn(error, 'err_code'), textIn(error, 'description')]
  if (temporary.has(number)) throw new NoAnswer('none', description)
  throw new ApiError(number, description)
}

export function numberIn(answer: Answer, field: string): number {
  const value = answer[field]
  // A number in JSON may be too large for JavaScript, which reads it as infinite.
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}

/** The bytes in a field, one character for each. Throws a `StorageError` for a field that is no base64. */
export function bytesIn(answer: Answer, field: string): string {
  try {
    return atob(textIn(answer, field))
  } catch (cause) {
    const message = `The NATS server answered with a message that cannot be read: its ${field} is no base64.`
    throw new StorageError('unknown', message, { cause })
  }
}

export function textIn(answer: Answer, field: string): string {
  const value = answer[field]
  return typeof value === 'string' ? value : ''
}
