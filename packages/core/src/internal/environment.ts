import { type Clock, platformClock } from './clock.ts'
import { nextTask } from './next-task.ts'

/** Everything that makes one run differ from another: time, new ids and chance. */
export interface Environment {
  readonly clock: Clock
  /** A new id, unique in the session: `newId('run')` is `'run_…'`. */
  readonly newId: (prefix: string) => string
  /** A number from 0 up to, but not including, 1. */
  readonly random: () => number
  /** The SHA-256 of a text, as 64 hex digits. Rejects if the code for it does not load. */
  readonly sha256: (text: string) => Promise<string>
  readonly turns: PageTurns
}

/**
 * When the page gets a turn in the middle of long work. The work is counted, not timed, so that the same script gives
 * the same log.
 */
export interface PageTurns {
  /** How many facts may follow from one fact in one task. */
  readonly mostFacts: number
  /**
   * How many calls may be checked, or end, in one task: at each of them, every listener looks at all calls, of which
   * there may be a thousand.
   */
  readonly mostCalls: number
  /** Resolves after the page had its turn. */
  readonly next: () => Promise<void>
}

/** An answer with 1,000 calls leads to 5,000 facts. */
export const pageTurns: PageTurns = { mostFacts: 1000, mostCalls: 20, next: nextTask }

/** The platform's clock, random ids and chance. Needs no secure context. */
export const platformEnvironment: Environment = {
  clock: platformClock,
  newId: (prefix) => `${prefix}_${randomText()}`,
  random: () => Math.random(),
  sha256: async (text) => (await import('./sha256.ts')).sha256(text),
  turns: pageTurns,
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')
}
