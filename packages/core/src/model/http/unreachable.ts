import type { ModelError } from '../port.ts'
import { couldRead } from './breaker.ts'
import type { Endpoint } from './endpoint.ts'
import type { Obstacle } from './explain.ts'
import { explained } from './explained.ts'
import { failure } from './failures.ts'

/** Milliseconds that the search for the reason may take. */
const patienceMs = 3000

/**
 * Finds out why a request got no answer, as far as a page can: it sees the same error for a missing CORS header, a dead
 * server, a blocked address and no network. Sends no key and no conversation.
 */
export async function unreachable(endpoint: Endpoint): Promise<ModelError> {
  const { host, model } = endpoint.target
  const { origin } = new URL(endpoint.baseURL)
  const obstacle = await findObstacle(endpoint)
  // Without a network the sentences may not load, either.
  if (obstacle === 'offline')
    return failure('network', 'This device is offline. Connect it and try again.')
  const isBlocked = obstacle === 'mixed_content' || obstacle === 'cors' || obstacle === 'csp'
  const error = { kind: isBlocked ? 'cors' : 'network', retryable: !isBlocked } as const
  return explained(error, { host, model, obstacle, reason: origin })
}

async function findObstacle({
  baseURL,
  target: { host },
  isScripted,
}: Endpoint): Promise<Obstacle | 'offline'> {
  if (typeof navigator !== 'undefined' && navigator.onLine === false) return 'offline'
  if (typeof location === 'undefined' || isScripted) return 'unknown'
  const { origin, protocol } = new URL(baseURL)
  const isPlain = location.protocol === 'https:' && protocol === 'http:'
  if (isPlain && !/^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(host)) return 'mixed_content'
  if (origin === location.origin) return 'unknown'
  const obstacle = await knock(origin)
  // The server has answered this page before, so CORS is fine: what failed now is the server, or something on the way
  // to it.
  return obstacle === 'cors' && couldRead(baseURL) ? 'broken_off' : obstacle
}

/** A request without CORS cannot be read, but it shows whether there is a server. */
async function knock(origin: string): Promise<'cors' | 'csp' | 'unknown'> {
  let isForbidden = false
  const note = ({ blockedURI }: SecurityPolicyViolationEvent): void => {
    isForbidden ||= blockedURI.startsWith(origin)
  }
  globalThis.addEventListener?.('securitypolicyviolation', note)
  try {
    await fetch(origin, {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(patienceMs),
    })
    return 'cors'
  } catch {
    // The browser reports a violation in a task of its own.
    await new Promise((resolve) => setTimeout(resolve))
    return isForbidden ? 'csp' : 'unknown'
  } finally {
    globalThis.removeEventListener?.('securitypolicyviolation', note)
  }
}
