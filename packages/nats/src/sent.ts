import type { AppendPosition } from '@offthread/core/storage'
import type { NewBatch } from './batch.ts'
import type { Tail } from './log-message.ts'

/** What this page knows of a session from the messages that it has sent. */
export interface Sent {
  /** The end of the log, as far as this page knows it. */
  reached: Tail | null
  /** The batch that has no answer yet. */
  underWay: NewBatch | null
}

/** Returns what is known of each session that this page has sent messages of. */
export function createSent(): (sessionId: string) => Sent {
  const known = new Map<string, Sent>()
  return (sessionId) => {
    const found = known.get(sessionId)
    if (found) return found
    const sent = { reached: null, underWay: null }
    known.set(sessionId, sent)
    return sent
  }
}

/** The end of the log, if it is where the writer believes it to be. */
export function knownAt({ reached }: Sent, { head, epoch }: AppendPosition): Tail | null {
  return reached?.head === head && reached.epoch === epoch ? reached : null
}
