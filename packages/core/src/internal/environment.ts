import { type Clock, platformClock } from './clock.ts'
import { sha256 } from './sha256.ts'

/** Everything that makes one run differ from another: time, new ids and chance. */
export interface Environment {
  readonly clock: Clock
  /** A new id, unique in the session: `newId('run')` is `'run_…'`. */
  readonly newId: (prefix: string) => string
  /** A number from 0 up to, but not including, 1. */
  readonly random: () => number
  /** The SHA-256 of a text, as 64 hex digits. */
  readonly sha256: (text: string) => Promise<string>
}

/** The platform's clock, random ids and chance. Needs no secure context. */
export const platformEnvironment: Environment = {
  clock: platformClock,
  newId: (prefix) => `${prefix}_${randomText()}`,
  random: () => Math.random(),
  sha256,
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')
}
