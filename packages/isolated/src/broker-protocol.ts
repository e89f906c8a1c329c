import { type BrokerErrorCode, brokerErrorCodes } from './broker-error.ts'
import { isObject } from './is-object.ts'

/** A request, as a tool asks for it. */
export interface AskedRequest {
  readonly url: string
  readonly method: string
  readonly headers: HeaderList
  readonly body?: ArrayBuffer
}

type HeaderList = readonly (readonly [string, string])[]

/** What a tool says to the broker. It numbers its requests. */
export type BrokerRequest =
  | { readonly type: 'fetch'; readonly id: number; readonly request: AskedRequest }
  | { readonly type: 'abort'; readonly id: number }

/**
 * A message as the broker reads it. `unreadable`: an invalid request, which it has to refuse, because the tool waits
 * for an answer.
 */
export type ReadRequest = BrokerRequest | { readonly type: 'unreadable'; readonly id: number }

/** An answer that has arrived as a whole. */
export interface BrokeredResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: HeaderList
  readonly body: ArrayBuffer
}

/** What the broker says to a tool. */
export type BrokerAnswer =
  | { readonly type: 'answered'; readonly id: number; readonly response: BrokeredResponse }
  | {
      readonly type: 'refused'
      readonly id: number
      readonly code: BrokerErrorCode
      readonly message: string
    }

/** The limits are far above what a sensible request needs, and too low to keep the page busy. */
export const maxUrlChars = 8192
export const maxHeaders = 64
/** The limit for all names and values together. */
export const maxHeaderChars = 16_384

/** The form of a method in HTTP, limited to a sensible length. */
const methodPattern = /^[\w!#$%&'*+.^`|~-]{1,32}$/

/** Reads a message of a tool. `undefined` for any other value. */
export function readBrokerRequest(value: unknown): ReadRequest | undefined {
  if (!isObject(value)) return undefined
  const { type, id, request } = value
  if (!isId(id)) return undefined
  if (type === 'abort') return { type, id }
  if (type !== 'fetch') return undefined
  const asked = readAsked(request)
  return asked ? { type, id, request: asked } : { type: 'unreadable', id }
}

function readAsked(value: unknown): AskedRequest | undefined {
  if (!isObject(value)) return undefined
  const { url, method, headers, body } = value
  if (typeof url !== 'string' || url.length > maxUrlChars) return undefined
  if (typeof method !== 'string' || !methodPattern.test(method)) return undefined
  const tooMany = Array.isArray(headers) && headers.length > maxHeaders
  if (tooMany || !isHeaderList(headers)) return undefined
  const chars = headers.reduce((sum, [name, text]) => sum + name.length + text.length, 0)
  if (chars > maxHeaderChars) return undefined
  if (!(body === undefined || body instanceof ArrayBuffer)) return undefined
  return { url, method, headers, ...(body && { body }) }
}

/** Reads a message of the broker. `undefined` for any other value. */
export function readBrokerAnswer(value: unknown): BrokerAnswer | undefined {
  if (!isObject(value) || !isId(value['id'])) return undefined
  const { type, id, response, message } = value
  const code = brokerErrorCodes.find((known) => known === value['code'])
  if (type === 'refused' && code && typeof message === 'string') return { type, id, code, message }
  if (type !== 'answered' || !isObject(response)) return undefined
  const { status, statusText, headers, body } = response
  if (typeof status !== 'number' || typeof statusText !== 'string') return undefined
  // The number of headers is not limited, because they come from the page.
  if (!isHeaderList(headers) || !(body instanceof ArrayBuffer)) return undefined
  return { type, id, response: { status, statusText, headers, body } }
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function isHeaderList(value: unknown): value is HeaderList {
  return Array.isArray(value) && Array.from(value).every(isHeader)
}

function isHeader(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && isString(value[0]) && isString(value[1])
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}
