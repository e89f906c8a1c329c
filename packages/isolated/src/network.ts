import { providerOrigins } from './providers.ts'

/** What isolated tools may ask of the network, by way of the page. */
export interface NetworkOptions {
  /**
   * The origins that may be asked, each exactly: `https://api.example.com`, with its port if that is not the default.
   * There are no wildcards. An origin that is not https, is local or is the page's own counts only if it is listed
   * here.
   */
  readonly origins: readonly string[]
  /** Default `['GET']`. */
  readonly methods?: readonly string[]
  /** How many bytes an answer may have, and a request. Default 1,000,000. */
  readonly maxBytes?: number
  /** Milliseconds from the request to the last byte of the answer. Default 10,000. */
  readonly timeoutMs?: number
  /** Origins that are never asked, beside those of the known model providers: your own proxy, for one. */
  readonly never?: readonly string[]
}

/** The options, checked and with their defaults. */
export interface NetworkRules {
  readonly origins: ReadonlySet<string>
  readonly methods: ReadonlySet<string>
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly never: ReadonlySet<string>
}

/** Throws a `TypeError` that says what to write instead. */
export function readNetworkOptions(options: NetworkOptions): NetworkRules {
  const { origins, methods = ['GET'], maxBytes = 1_000_000, timeoutMs = 10_000 } = options
  const never = new Set([...providerOrigins, ...(options.never ?? []).map(exactOrigin)])
  const allowed = new Set(origins.map(exactOrigin))
  const provider = [...allowed].find((origin) => never.has(origin))
  if (provider !== undefined) {
    throw new TypeError(`network.origins must not hold ${provider}: it is never asked.`)
  }
  requirePositive('maxBytes', maxBytes)
  requirePositive('timeoutMs', timeoutMs)
  return {
    origins: allowed,
    methods: new Set(methods.map((method) => method.toUpperCase())),
    maxBytes,
    timeoutMs,
    never,
  }
}

/** The parser of URLs accepts an asterisk, so it is refused here. */
const nameable = /^https?:[^*]*$/

function exactOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null'
  if (origin === text && nameable.test(text)) return text
  const instead = nameable.test(origin) ? origin : 'https://api.example.com'
  throw new TypeError(`${JSON.stringify(text)} is no exact origin: write ${instead}.`)
}

function requirePositive(option: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return
  throw new TypeError(`network.${option} must be a whole number of at least 1.`)
}
