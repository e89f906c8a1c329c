/**
 * The content of a message was removed from all events before this one, and with it the bytes of these artifacts. The
 * message may be the prompt of a run that had no turn. A page that has read the earlier events has to forget them, and
 * may read them again.
 */
export interface RedactionFact {
  readonly type: 'message_redacted'
  /** The id of the run, if the prompt never became a message. */
  readonly messageId: string
  readonly artifactIds: readonly string[]
  readonly by: string
}
