import { ModelError } from '../port.ts'
import { wasHeard } from './breaker.ts'
import type { Endpoint } from './endpoint.ts'

/** Milliseconds that looking for the reason may take. */
const patienceMs = 3000

/**
 * Finds out why a request got no answer, as far as a page can: it is told the same for a missing CORS
 * header, a dead server, a blocked address and no network. Sends no key and no conversation.
 */
export async function unreachable({
  baseURL,
  target: { host },
  isScripted,
}: Endpoint): Promise<ModelError> {
  if (typeof navigator !== 'undefined' && navigator.onLine === false) {
    return network('This device is offline. Connect it and try again.')
  }
  if (typeof location === 'undefined' || isScripted) return network(noAnswer(host))
  const { origin, protocol } = new URL(baseURL)
  if (location.protocol === 'https:' && protocol === 'http:' && !isLocal(host)) {
    return blocked(`A page on https may not call ${host} on http. Give its https address.`)
  }
  if (origin === location.origin) return network(noAnswer(host))
  switch (await knock(origin)) {
    case 'open':
      // It has answered this page before: CORS is fine, and what failed now is the server or something before it.
      if (wasHeard(baseURL)) return network(`${host} broke the request off. Try again.`)
      return blocked(
        `${host} is there, but does not let this page read its answers (CORS). Allow the origin ${location.origin} on the server, or go through a proxy of your own.`,
      )
    case 'forbidden':
      return blocked(
        `The content security policy of this page does not allow ${host}. Add ${origin} to connect-src.`,
      )
    case 'silent':
      return network(noAnswer(host))
  }
}

/** A request without CORS cannot be read, but it says whether somebody is there. */
async function knock(origin: string): Promise<'open' | 'forbidden' | 'silent'> {
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
    return 'open'
  } catch {
    // The browser tells of a violation in a task of its own.
    await new Promise((resolve) => setTimeout(resolve))
    return isForbidden ? 'forbidden' : 'silent'
  } finally {
    globalThis.removeEventListener?.('securitypolicyviolation', note)
  }
}

function isLocal(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(host)
}

function noAnswer(host: string): string {
  return `${host} could not be reached. Check the address, that the server runs, and the connection; a blocked request (CORS, content security policy, browser extension) looks the same.`
}

function network(message: string): ModelError {
  return new ModelError({ kind: 'network', message, retryable: true })
}

function blocked(message: string): ModelError {
  return new ModelError({ kind: 'cors', message, retryable: false })
}
