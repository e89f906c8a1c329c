import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Clock } from '../internal/clock.ts'
import { withFullStop } from '../internal/full-stop.ts'
import { isObject } from '../internal/json.ts'
import { loadPart } from '../internal/load-part.ts'
import { messageOf } from '../internal/message-of.ts'
import type { WorkerLike } from '../tools/page/worker-boot.ts'
import type { McpHttpOptions } from './http-requests.ts'
import { isMcpServerError, McpServerError } from './mcp-server-error.ts'
import type { McpEndpoint } from './options.ts'
import { readEndpoint } from './read-endpoint.ts'
import { type EndableTransport, isTransport, type Session } from './transport.ts'

/** Returns the function that makes the transport of a connection. Throws a `TypeError` for an invalid address. */
export function openerOf(
  endpoint: McpEndpoint,
  options: McpHttpOptions & { readonly clock: Clock },
): (session: Session) => Promise<EndableTransport> {
  const { clock } = options
  if (typeof endpoint !== 'function' && !isTransport(endpoint)) {
    const url = readEndpoint(endpoint)
    return async (session) => {
      const { createHttpTransport } = await loadPart(() => import('./http-transport.ts'), clock)
      return createHttpTransport(url, options, session)
    }
  }
  const make = typeof endpoint === 'function' ? endpoint : once(endpoint)
  return async (session) => {
    const { createWorkerTransport } = await loadPart(() => import('./worker-transport.ts'), clock)
    const made = tryMake(make)
    return 'terminate' in made ? createWorkerTransport(made, session) : made
  }
}

function once(transport: Transport): () => Transport {
  let isUsed = false
  return () => {
    if (isUsed) {
      throw new McpServerError(
        'closed',
        'The connection to the MCP server has ended, and a transport serves only one. Give mcpTools a function that makes a transport, to connect again.',
      )
    }
    isUsed = true
    return transport
  }
}

function tryMake(make: () => Transport | WorkerLike): Transport | WorkerLike {
  let made: Transport | WorkerLike
  try {
    made = make()
  } catch (cause) {
    throw isMcpServerError(cause) ? cause : notMade(messageOf(cause), cause)
  }
  if (isTransport(made) || (isObject(made) && 'terminate' in made)) return made
  throw notMade('the function gave neither a transport of the SDK nor a worker')
}

function notMade(why: string, cause?: unknown): McpServerError {
  const message = withFullStop(`The connection to the MCP server could not be made: ${why}`)
  return new McpServerError('unreachable', message, { cause })
}
