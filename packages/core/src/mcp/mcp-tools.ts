import { platformClock } from '../internal/clock.ts'
import { loadPart } from '../internal/load-part.ts'
import type { McpEndpoint, McpOptions, McpTools } from './options.ts'

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
  // Loaded with the first server, because a page may have none yet.
  const load = () => import('./connect-tools.ts')
  const { connectTools } = await loadPart(load, options.clock ?? platformClock)
  return connectTools(endpoint, options)
}
