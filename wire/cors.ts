import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'

/**
 * What a page on another origin may read of a server.
 *
 * - `open`: everything, as with Anthropic and OpenAI.
 * - `unexposed`: the answers, but only the headers that every page may read.
 * - `bare-errors`: the answers, but errors come from a gateway that sends no CORS headers.
 * - `closed`: nothing. The preflight is refused, and the browser does not send the request.
 */
export type CorsPolicy = 'open' | 'unexposed' | 'bare-errors' | 'closed'

const policies: ReadonlySet<string> = new Set<CorsPolicy>([
  'open',
  'unexposed',
  'bare-errors',
  'closed',
])

export function isCorsPolicy(name: string | undefined): name is CorsPolicy {
  return name !== undefined && policies.has(name)
}

/** The headers of an answer with this status. */
export function corsOfAnswer(policy: CorsPolicy, status: number): OutgoingHttpHeaders {
  if (policy === 'closed' || (policy === 'bare-errors' && status >= 400)) return {}
  return {
    'access-control-allow-origin': '*',
    ...(policy !== 'unexposed' && { 'access-control-expose-headers': '*' }),
  }
}

/** The headers that answer a preflight. A star would not cover `authorization`. */
export function corsOfPreflight(policy: CorsPolicy, asked: IncomingMessage): OutgoingHttpHeaders {
  if (policy === 'closed') return {}
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': asked.headers['access-control-request-headers'] ?? '',
    // The browser must not cache a preflight, so that the journal has all of them.
    'access-control-max-age': '0',
  }
}
