/**
 * Why a call could not be run by a fleet, to branch on.
 *
 * - `connection`: there is no connection to the NATS server, or it has ended.
 * - `no_process`: no process of the fleet is running.
 * - `full`: all processes that answered run as many calls as they may.
 * - `silent`: a process has not answered, or gives no sign of life any more.
 * - `version`: page and process have different versions of the protocol.
 * - `unreadable`: a message could not be read.
 * - `too_large`: a message is over a limit.
 */
export type FleetProblem =
  | 'connection'
  | 'no_process'
  | 'full'
  | 'silent'
  | 'version'
  | 'unreadable'
  | 'too_large'

/** A fleet that cannot be used as asked. The message says what to do. */
export class FleetError extends Error {
  /** Distinguishes it from other errors, also where a bundle holds two copies of this module. */
  override readonly name = 'FleetError'
  /** What is wrong, to branch on. */
  readonly kind: FleetProblem

  constructor(kind: FleetProblem, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.kind = kind
  }
}
