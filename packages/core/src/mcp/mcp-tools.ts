import { longestTimerMs, platformClock } from '../internal/clock.ts'
import { loadPart } from '../internal/load-part.ts'
import type { McpEndpoint, McpOptions, McpTools } from './options.ts'
import { isTransport } from './transport.ts'

/**
 * Connects to an MCP server and makes tools of its list. Each call is a card like any other: with approval, progress, log
 * lines, Stop and a time limit. All go over one connection, which comes back by itself, in the same session.
 *
 * Loads `@modelcontextprotocol/sdk`, which has to be installed. Rejects with a `McpServerError` that says what is wrong
 * with the server or the way to it, and with a `TypeError` for options that make no sense.
 *
 * @example
 * ```ts
 * const tools = await mcpTools('https://example.com/mcp', {
 *   headers: async () => ({ authorization: `Bearer ${await token()}` }),
 * })
 * const agent = createAgent({ model, tools: [ownTools, tools] })
 * ```
 */
export async function mcpTools(endpoint: McpEndpoint, options: McpOptions = {}): Promise<McpTools> {
  checkOptions(endpoint, options)
  // Loaded with the first server, because a page may have none yet.
  const load = () => import('./connect-tools.ts')
  const { connectTools } = await loadPart(load, options.clock ?? platformClock)
  return connectTools(endpoint, options)
}

function checkOptions(endpoint: McpEndpoint, options: McpOptions): void {
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
