import { withFullStop } from '../../internal/full-stop.ts'
import type { RunError } from '../../kernel/run-error.ts'

/** The facts about a failed request. They hold no secret. */
export interface Diagnosis extends Omit<RunError, 'message'> {
  readonly host: string
  readonly model: string
  /** The reason that the server stated, as far as it may be shown. */
  readonly reason?: string
  /** The server said that another attempt does not help. */
  readonly isFinal?: boolean
  /** Why there was no answer of the model at all. */
  readonly obstacle?: Obstacle
}

/** What may stand between a page and the answer of a model. */
export type Obstacle =
  | 'mixed_content'
  | 'broken_off'
  | 'cors'
  /** `reason` is the origin that the policy does not allow. */
  | 'csp'
  | 'redirect'
  /** `reason` is the content type that came instead. */
  | 'not_a_stream'
  /** The page cannot find out why. */
  | 'unknown'

/** Says what a failure means, in a sentence that says what to do about it. Loaded when a request fails. */
export function explain(diagnosis: Diagnosis): string {
  const { obstacle, host, reason = '' } = diagnosis
  if (obstacle === undefined) return sentenceOfRefusal(diagnosis)
  switch (obstacle) {
    case 'redirect':
      return `${host} leads this page elsewhere (a redirect), which is not followed. Give the address that it leads to, and check whether a login page is in between.`
    case 'not_a_stream':
      return `${host} answered with ${reason}, not with an event stream. Check \`baseURL\`, and whether a proxy or a login page is in between.`
    case 'mixed_content':
      return `A page on https may not call ${host} on http. Give its https address.`
    case 'broken_off':
      return `${host} broke the request off. Try again.`
    case 'cors':
      return `${host} is there, but does not let this page read its answers (CORS). Allow the origin ${location.origin} on the server, or go through a proxy of your own.`
    case 'csp':
      return `The content security policy of this page does not allow ${host}. Add ${reason} to connect-src.`
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
      // The server has said why, and that waiting does not help.
      if (isFinal && reason !== '') return withFullStop(`${host} cannot answer: ${reason}`)
      // Without a status the words are all that there is to go by.
      return `${host} is overloaded or out of order${status === undefined && reason !== '' ? ` (${reason})` : ''}. Wait ${waiting(retryAfterMs)} and try again.`
    case 'context_overflow':
      return 'The conversation is too long for the model. Shorten it or start a new one.'
    default:
      if (status === 404)
        return `${host} has no model "${model}" at this address. Check \`model\` and \`baseURL\`.`
      return withFullStop(
        `The request was refused: ${reason || `status ${status ?? 'unknown'}, no reason given`}`,
      )
  }
}

function waiting(ms: number | undefined): string {
  if (ms === undefined || ms < 1000) return 'a moment'
  return ms < 90_000 ? `${Math.ceil(ms / 1000)} seconds` : `${Math.ceil(ms / 60_000)} minutes`
}
