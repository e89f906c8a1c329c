import type { AgentOptions, RunEndReason, RunErrorKind } from '../../packages/core/src/index.ts'
import type { CorsPolicy } from '../cors.ts'
import type { Protocol } from '../exchange.ts'

/** The expected outcome of one fault. */
interface Outcome {
  /** How the run ends. */
  readonly reason: RunEndReason
  /** The error: of the run, or of the attempts before it succeeded. */
  readonly kind?: RunErrorKind
  /** The sentence that a person reads. */
  readonly says?: RegExp
  readonly retries: number
  /** Requests that reach the server. Default: one more than the retries. */
  readonly requests?: number
  /** The last answer. */
  readonly text?: string | RegExp
  /**
   * What the model reads of its calls in the last request; `Error: ` stands before what is marked as failed. Absent:
   * every request equals the first.
   */
  readonly reads?: readonly string[]
  /** How many calls ran. Default: none. */
  readonly ran?: number
  /** The warnings of the run. Default: none. */
  readonly warns?: readonly string[]
  /** The pause before the second attempt. Default: next to none. */
  readonly delayMs?: number
}

/** One fault, and its expected outcome. */
export interface Row {
  readonly id: string
  readonly what: string
  /** The replies of the fault server, in order; the last repeats. */
  readonly replies: string
  readonly cors?: CorsPolicy
  /** The protocol that can have it. Default: both. */
  readonly only?: Protocol
  readonly agent?: Partial<AgentOptions>
  readonly outcome: Outcome
  /** What differs in OpenAI's protocol. */
  readonly openai?: Partial<Outcome>
}

const noon = 'It is noon 🕛.'

/** The run fails at once. */
export function ends(kind: RunErrorKind, says: RegExp): Outcome {
  return { reason: 'error', kind, says, retries: 0 }
}

/** The first attempts fail, the next succeeds. */
export function retried(kind: RunErrorKind, more: Partial<Outcome> = {}): Outcome {
  return { reason: 'stop', kind, retries: 1, text: noon, ...more }
}

/** A fault that is harmless. */
export const fine: Outcome = { reason: 'stop', retries: 0, text: noon }

/** Each call ran, and the model reads this of it. */
export function called(reads: readonly string[]): Outcome {
  return { ...fine, requests: 2, reads, ran: reads.length }
}
