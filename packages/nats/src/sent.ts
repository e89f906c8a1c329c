import type { AppendPosition } from '@offthread/core/storage'
import type { NewBatch } from './batch.ts'
import type { Tail } from './log-message.ts'

/** What is known of a session by the messages that this page has sent. */
export interface Sent {
  /** Where it stands. */
  reached: Tail | null
  /** What has no answer yet. */
  underWay: NewBatch | null
}

/** Of each session that this page has sent messages of. */
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

/** Where the session stands, if that is where the writer believes it to be. */
export function knownAt({ reached }: Sent, { head, epoch }: AppendPosition): Tail | null {
  return reached?.head === head && reached.epoch === epoch ? reached : null
}
