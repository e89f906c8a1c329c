import type { AppendPosition } from '../port.ts'
import type { NewBatch } from './batch.ts'
import type { Tail } from './log-message.ts'

/** What is known of sessions by the messages that this page has sent. */
export interface Sent {
  /** By session: where it stands. */
  readonly reached: Map<string, Tail>
  /** By session: what has no answer yet. */
  readonly underWay: Map<string, NewBatch>
  /** Bytes of a message. */
  readonly limit: () => number
}

/** Where the session stands, if that is where the writer believes it to be. */
export function knownAt(
  { reached }: Sent,
  sessionId: string,
  { head, epoch }: AppendPosition,
): Tail | undefined {
  const known = reached.get(sessionId)
  return known?.head === head && known.epoch === epoch ? known : undefined
}
