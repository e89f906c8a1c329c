import { longestTimerMs } from '../internal/clock.ts'
import type { McpEndpoint, McpOptions } from './options.ts'
import { isTransport } from './transport.ts'

/** Throws a `TypeError` for options that make no sense. */
export function checkOptions(endpoint: McpEndpoint, options: McpOptions): void {
  const { headers, authProvider, fetch, timeoutMs = null, connectTimeoutMs = 1, prefix } = options
  const isAddress = typeof endpoint !== 'function' && !isTransport(endpoint)
  if (!isAddress && (headers ?? authProvider ?? fetch)) {
    throw new TypeError(
      'headers, authProvider and fetch are for an address. Give them to serveMcp, or to the transport that you make.',
    )
  }
  if (timeoutMs !== null && !isTime(timeoutMs)) {
    throw new TypeError(`timeoutMs must be a number of milliseconds above 0, or null for none.`)
  }
  if (!isTime(connectTimeoutMs)) {
    throw new TypeError('connectTimeoutMs must be a number of milliseconds above 0.')
  }
  if (prefix !== undefined && !/^[a-zA-Z0-9_-]{1,32}$/.test(prefix)) {
    throw new TypeError('prefix must be 1 to 32 letters, digits, "_" or "-".')
  }
}

function isTime(ms: number): boolean {
  return ms > 0 && ms <= longestTimerMs
}
