/**
 * What is wrong with a request about sessions: to branch on.
 *
 * - `unknown_session`, `unknown_message`: there is none of this name. `name_taken`: there is one already.
 * - `damaged`: the stored log cannot be read up to the place that was asked for.
 * - `open`: an agent has the session. `unfinished`: a run was cut off, or calls wait for people. `not_supported`: the storage
 *   does not offer it.
 * - Of a file that is imported. `not_a_session`: it is no exported session. `version`: it needs a newer version of the
 *   app. `cut_off`: its end is missing. `checksum`: it was changed after the export. `not_valid`: its content is no
 *   session. `too_large`: it is over a limit.
 */
export type SessionErrorKind =
  | 'unknown_session'
  | 'unknown_message'
  | 'name_taken'
  | 'damaged'
  | 'open'
  | 'unfinished'
  | 'not_supported'
  | 'not_a_session'
  | 'version'
  | 'cut_off'
  | 'checksum'
  | 'not_valid'
  | 'too_large'

/** Why something was not done with a session. Nothing of it is left behind; `message` says what to do. */
export class SessionError extends Error {
  override readonly name = 'SessionError'
  /** What is wrong: to branch on. */
  readonly kind: SessionErrorKind

  constructor(kind: SessionErrorKind, message: string) {
    super(message)
    this.kind = kind
  }
}
