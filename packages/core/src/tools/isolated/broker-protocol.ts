import { isObject } from '../../internal/json.ts'
import type { BrokerErrorCode } from './broker-error.ts'
import { brokerErrorCodes } from './broker-error.ts'

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

/** Far more than a sensible request needs, and nothing that could keep the page busy. */
const maxUrlChars = 8192
const maxHeaders = 64

/** Reads a message of a tool. `undefined` for anything that is none. */
export function readBrokerRequest(value: unknown): BrokerRequest | undefined {
  if (!isObject(value)) return undefined
  const { type, id, request } = value
  if (!isId(id)) return undefined
  if (type === 'abort') return { type, id }
  if (type !== 'fetch' || !isObject(request)) return undefined
  const { url, method, headers, body } = request
  if (typeof url !== 'string' || url.length > maxUrlChars || typeof method !== 'string') {
    return undefined
  }
  if (!isHeaderList(headers) || !(body === undefined || body instanceof ArrayBuffer)) {
    return undefined
  }
  return { type, id, request: { url, method, headers, ...(body && { body }) } }
}

/** Reads a message of the broker. `undefined` for anything that is none. */
export function readBrokerAnswer(value: unknown): BrokerAnswer | undefined {
  if (!isObject(value) || !isId(value['id'])) return undefined
  const { type, id, response, message } = value
  const code = brokerErrorCodes.find((known) => known === value['code'])
  if (type === 'refused' && code && typeof message === 'string') return { type, id, code, message }
  if (type !== 'answered' || !isObject(response)) return undefined
  const { status, statusText, headers, body } = response
  if (typeof status !== 'number' || typeof statusText !== 'string') return undefined
  if (!isHeaderList(headers) || !(body instanceof ArrayBuffer)) return undefined
  return { type, id, response: { status, statusText, headers, body } }
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function isHeaderList(value: unknown): value is HeaderList {
  return (
    Array.isArray(value) &&
    value.length <= maxHeaders &&
    value.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isString))
  )
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}
