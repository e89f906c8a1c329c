/** Thrown when something needs the agent to be at rest and it is not. */
export class AgentBusyError extends Error {
  override readonly name = 'AgentBusyError'
}

/** The kind of misuse, to branch on. */
export type AgentUsageCode =
  | 'nothing_to_continue'
  | 'unanswered_calls'
  | 'unknown_call'
  | 'settled_call'
  | 'not_answerable'
  | 'not_awaiting_approval'
  | 'stale_approval'
  | 'unknown_message'
  /** The storage of the session does not offer what the command needs. */
  | 'not_supported'
  | 'not_retryable'
  /** The session is only shown. */
  | 'read_only'
  /** A part of the app that is loaded when it is needed could not be loaded. */
  | 'not_loaded'

/** Thrown for a command that does not fit what is going on. Nothing was written; `message` says what to do instead. */
export class AgentUsageError extends Error {
  override readonly name = 'AgentUsageError'
  readonly code: AgentUsageCode

  constructor(code: AgentUsageCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
