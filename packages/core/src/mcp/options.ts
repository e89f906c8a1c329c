import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Clock } from '../internal/clock.ts'
import type { ToolHost } from '../tools/host.ts'
import type { WorkerLike } from '../tools/page/worker-boot.ts'
import type { McpHttpOptions } from './http-requests.ts'
import type { McpLibrary } from './library.ts'
import type { McpTool } from './tool-list.ts'

/**
 * Where a server is: its address; a transport of the SDK, which serves one connection; or a function that makes one, or
 * starts a worker that calls `serveMcp`. The function is called for every new connection.
 */
export type McpEndpoint = string | URL | Transport | (() => Transport | WorkerLike)

/** How a server's tools are made. `headers`, `authProvider` and `fetch` apply only to a server with an address. */
export interface McpOptions extends McpHttpOptions {
  /** Stands in front of a name that another tool has. Default: what the server calls itself. */
  readonly prefix?: string
  /** The other tools of the agent, whose names are taken. Default: none. */
  readonly beside?: ToolHost | readonly ToolHost[]
  /**
   * Whether a person allows each call, for all tools or by what the server says of one. Default: for those that may
   * destroy something or reach beyond the server; a tool of which the server says nothing may do both.
   */
  readonly needsApproval?: boolean | ((tool: McpTool) => boolean)
  /** Milliseconds a call may take. Default 60,000; `null` is for ever. */
  readonly timeoutMs?: number | null
  /** Milliseconds that connecting may take, and each list, resource and prompt. Default 10,000. */
  readonly connectTimeoutMs?: number
  /** Called when the server says that its tools have changed: time to call `refresh`. */
  readonly onToolsChanged?: () => void
  /** Default: the platform's clock. */
  readonly clock?: Clock
}

/** The tools of an MCP server, as a host for `createAgent`, and what else it offers. */
export interface McpTools extends ToolHost, McpLibrary {
  /** The name that the server gives itself. It is not verified. */
  readonly server: { readonly name: string; readonly version: string }
  /** What the server says for models. Nothing of it is sent, unless you put it into `system`. */
  readonly instructions: string | undefined
  /** A sentence for each tool of the list that could not be used as it is. */
  readonly problems: readonly string[]
  /**
   * Asks for the list again. Resolves to this host if nothing has changed, else to a new one over the same connection, for
   * `agent.configure({ tools })` between two runs. Tools keep their names. Rejects with a `McpServerError`.
   */
  readonly refresh: () => Promise<McpTools>
  /** Ends the connection, its calls and the session for good. */
  readonly close: () => Promise<void>
}
