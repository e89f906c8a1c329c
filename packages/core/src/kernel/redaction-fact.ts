/**
 * The content of a message, or the prompt of a run that had no turn, was removed from all events before this one, and the
 * bytes of these artifacts with it: what was read before is to be forgotten, and may be read again.
 */
export interface RedactionFact {
  readonly type: 'message_redacted'
  /** The id of the run, if the prompt never became a message. */
  readonly messageId: string
  readonly artifactIds: readonly string[]
  readonly by: string
}
