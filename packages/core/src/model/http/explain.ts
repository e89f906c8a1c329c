import { withFullStop } from '../../internal/full-stop.ts'
import type { RunErrorKind } from '../../kernel/run-error.ts'

/** What is known of a request that failed. Nothing in it is secret. */
export interface Diagnosis {
  readonly kind: RunErrorKind
  readonly host: string
  readonly model: string
  readonly status?: number | undefined
  /** What the server said, as far as it may be shown. */
  readonly reason?: string
  readonly retryAfterMs?: number | undefined
  /** The server said that another attempt does not help. */
  readonly isFinal?: boolean
  /** Why there was no answer at all. `origin` is the server's. */
  readonly obstacle?: { readonly type: Obstacle; readonly origin: string }
}

/** What may keep a request from being answered. `unknown`: a page cannot tell. */
export type Obstacle = 'offline' | 'mixed_content' | 'broken_off' | 'cors' | 'csp' | 'unknown'

/** Says what a failure means, in a sentence that tells what to do about it. Loaded when a request fails. */
export function explain({ obstacle, ...diagnosis }: Diagnosis): string {
  return obstacle ? sentenceOfObstacle(obstacle, diagnosis.host) : sentenceOfRefusal(diagnosis)
}

function sentenceOfObstacle(
  { type, origin }: NonNullable<Diagnosis['obstacle']>,
  host: string,
): string {
  switch (type) {
    case 'offline':
      return 'This device is offline. Connect it and try again.'
    case 'mixed_content':
      return `A page on https may not call ${host} on http. Give its https address.`
    case 'broken_off':
      return `${host} broke the request off. Try again.`
    case 'cors':
      return `${host} is there, but does not let this page read its answers (CORS). Allow the origin ${location.origin} on the server, or go through a proxy of your own.`
    case 'csp':
      return `The content security policy of this page does not allow ${host}. Add ${origin} to connect-src.`
    case 'unknown':
      return `${host} could not be reached. Check the address, that the server runs, and the connection; a blocked request (CORS, content security policy, browser extension) looks the same.`
  }
}

function sentenceOfRefusal({
  kind,
  host,
  model,
  status,
  reason = '',
  retryAfterMs,
  isFinal,
}: Diagnosis): string {
  switch (kind) {
    case 'auth':
      return `${host} did not accept the API key. Check it and enter it again.`
    case 'billing':
      return 'The account has no credit left or is at its spend limit. Add credit or raise it.'
    case 'permission':
      return `This key may not use ${model}. Use another key or another model.`
    case 'timeout':
      return `${host} did not answer in time. Try again.`
    case 'too_large':
      return 'The request is too large. Send fewer or smaller attachments.'
    case 'rate_limited':
      return `Too many requests for this key. Wait ${waiting(retryAfterMs)} and try again.`
    case 'overloaded':
      // Waiting does not help there, and the server has said why.
      return isFinal && reason !== ''
        ? withFullStop(`${host} cannot answer: ${reason}`)
        : `${host} is overloaded or out of order. Wait ${waiting(retryAfterMs)} and try again.`
    case 'context_overflow':
      return 'The conversation is too long for the model. Shorten it or start a new one.'
    default:
      if (status === 404)
        return `${host} knows no model "${model}" at this address. Check \`model\` and \`baseURL\`.`
      return withFullStop(
        `The request was refused: ${reason || `status ${status ?? 'unknown'}, no reason given`}`,
      )
  }
}

function waiting(ms: number | undefined): string {
  if (ms === undefined || ms < 1000) return 'a moment'
  return ms < 90_000 ? `${Math.ceil(ms / 1000)} seconds` : `${Math.ceil(ms / 60_000)} minutes`
}
