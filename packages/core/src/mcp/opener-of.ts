import type { Clock } from '../internal/clock.ts'
import { loadPart } from '../internal/load-part.ts'
import type { McpHttpOptions } from './http-requests.ts'
import type { McpEndpoint } from './options.ts'
import { readEndpoint } from './read-endpoint.ts'
import type { EndableTransport, Session } from './transport.ts'

/** What makes the transport of a connection. Throws a `TypeError` for an address that is none. */
export function openerOf(
  endpoint: McpEndpoint,
  options: McpHttpOptions & { readonly clock: Clock },
): (session: Session) => Promise<EndableTransport> {
  const { clock } = options
  if (typeof endpoint !== 'function') {
    const url = readEndpoint(endpoint)
    return async (session) => {
      const { createHttpTransport } = await loadPart(() => import('./http-transport.ts'), clock)
      return createHttpTransport(url, options, session)
    }
  }
  return async (session) => {
    const { createWorkerTransport } = await loadPart(() => import('./worker-transport.ts'), clock)
    const made = endpoint()
    return 'terminate' in made ? createWorkerTransport(made, session) : made
  }
}
