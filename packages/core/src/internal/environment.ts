import type { Clock } from './clock.ts'
import { platformClock } from './clock.ts'

/** Everything that makes one run differ from another: time and new ids. */
export interface Environment {
  readonly clock: Clock
  /** A new id, unique in the session: `newId('run')` is `'run_…'`. */
  readonly newId: (prefix: string) => string
}

/** The platform's clock and random ids. Needs no secure context. */
export const platformEnvironment: Environment = {
  clock: platformClock,
  newId: (prefix) => `${prefix}_${randomText()}`,
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz'

function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')
}
