import type { EventOf } from '../../kernel/events.ts'
import type { State } from '../../kernel/state.ts'

/** When something was removed, and by which command. */
export interface RedactionOrigin {
  readonly ts: number
  /** The id of the wish (a follower's command) that asked for it. */
  readonly wishId?: string
}

type Redacted = EventOf<'message_redacted'>

/** The event of a redaction, which holds no content. */
export function redactionEvent(
  { sessionId, nextSeq: seq }: State,
  what: Pick<Redacted, 'messageId' | 'artifactIds'>,
  origin: RedactionOrigin,
): Redacted {
  const place = { v: 1, seq, sessionId, runId: null, turn: 0, ...origin } as const
  return { ...place, type: 'message_redacted', ...what, by: 'user' }
}
