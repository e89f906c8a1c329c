import { type Breaker, type Breakers, breakerOf } from './breaker.ts'
import { noKey, type Target } from './failures.ts'

/** Where the requests of a model go, and with which key. */
export interface EndpointOptions {
  /**
   * The key, or a function that is asked for it before every request. `null`: the server needs none.
   * It is kept in memory only, and sent to the origin of `baseURL` and nowhere else.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | null
  /** Replaces the platform's `fetch`, for instance with a scripted answer. */
  readonly fetch?: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** More headers; `null` removes one that would be sent. */
  readonly headers?: Readonly<Record<string, string | null>>
}

/** An address with its key, ready for requests. */
export interface Endpoint {
  /** The address: absolute, without a slash at its end. What is asked for goes before its query. */
  readonly baseURL: string
  readonly target: Target
  /** The option `fetch` is used, so the platform cannot say anything about the server. */
  readonly isScripted: boolean
  /** The breaker of this address and key. All models with both share it, unless the option `fetch` is used. */
  readonly breakerFor: (key: string | null) => Breaker
  /** Asks for the key. `null` where none is needed. Throws a `ModelError` of kind `auth`. */
  readonly readKey: () => Promise<string | null>
}

interface Place {
  readonly model: string
  /** The address, which may be relative to the page. */
  readonly baseURL: string
  /** Further secrets that a server may quote, with their present values. */
  readonly secrets?: () => readonly string[]
}

/** How many keys are remembered, to be removed from texts of the server. */
const maxRemembered = 8

/** Reads the options once. Throws a `TypeError` for an invalid address. */
export function createEndpoint(
  { model, secrets = () => [], ...place }: Place,
  { apiKey, fetch, headers = {} }: EndpointOptions,
): Endpoint {
  const baseURL = toAbsolute(place.baseURL).replace(/\/+$/, '')
  const sent: string[] = []
  const own: Breakers | undefined = fetch && new Map()
  // A key may be in the address, too.
  const named = [...Object.entries(headers), ...new URL(baseURL).searchParams]
  const valuesOf = (names: RegExp) =>
    named.flatMap(([name, value]) =>
      // A server may quote the token of "Bearer …" alone.
      value !== null && names.test(name) ? [value, ...value.split(/[\s;,=]+/)] : [],
    )
  const given = () => [...secrets(), ...valuesOf(/auth|key|token|secret|cookie/i)]
  const keys = () => [...sent, ...given()]
  return {
    baseURL,
    target: {
      host: new URL(baseURL).host,
      model,
      keys,
      secrets: () => [...keys(), ...valuesOf(/^(?!.*version)/)],
    },
    isScripted: fetch !== undefined,
    // A key may as well be in a header or a client.
    breakerFor: (key) => breakerOf(baseURL, [key, ...given()].join(' '), own),
    readKey: async () => {
      if (apiKey === null || apiKey === undefined) return null
      const key = await readKey(apiKey)
      if (!sent.includes(key)) sent.push(key)
      // Older keys are forgotten: the requests that used them are long over.
      if (sent.length > maxRemembered) sent.shift()
      return key
    },
  }
}

function toAbsolute(baseURL: string): string {
  // An address without a scheme would be a path of the page's own server, which would get the key.
  const isPath = /^\.{0,2}\/(?!\/)/.test(baseURL)
  // The origin of some pages is "null", which is the base of no address.
  const base = isPath ? globalThis.location?.origin : undefined
  if ((isPath || /^https?:\/\//i.test(baseURL)) && URL.canParse(baseURL, base)) {
    const url = new URL(baseURL, base)
    if (url.username === '' && url.password === '') return url.href
  }
  // The address is not quoted, because it may be a key in the wrong place.
  throw new TypeError(
    'The baseURL must begin with https://, http:// or, on a page, "/", without a user name.',
  )
}

async function readKey(source: string | (() => string | Promise<string>)): Promise<string> {
  const key: unknown = typeof source === 'string' ? source : await askFor(source)
  if (typeof key !== 'string' || key === '') throw noKey('There is no API key.')
  // The key is checked here, because a failing header quotes its value, which is the key.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw noKey('The API key has a sign that no key has.')
  }
  return key
}

async function askFor(source: () => string | Promise<string>): Promise<string> {
  try {
    return await source()
  } catch {
    throw noKey('The API key could not be read.')
  }
}
