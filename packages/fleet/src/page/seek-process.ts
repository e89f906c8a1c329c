import type { FleetConnection } from '../wire/connection.ts'
import { type Asking, type AskOptions, askOnce } from './ask-once.ts'
import type { FleetError } from './fleet-error.ts'
import { problems } from './problems.ts'

export interface SeekOptions extends AskOptions {
  /** Milliseconds until a process must have been found. */
  readonly seekTimeoutMs: number
}

/** Milliseconds before a fleet without room is asked again: doubled each time. */
const [firstPauseMs, longestPauseMs] = [50, 1000]

/**
 * Asks a fleet for a thread until a process claims it. Asking again does no harm, as it has no effect but that a thread
 * starts: a call is sent to the thread that was claimed, and nowhere else. Returns a function that ends it at any time.
 */
export function seekProcess(
  connection: FleetConnection,
  options: SeekOptions,
  seeker: Omit<Asking, 'refused'>,
): () => void {
  const { fleet, seekTimeoutMs, clock } = options
  let why = problems.noAnswer(fleet)
  let pauseMs = firstPauseMs
  let stop = () => {}

  const end = () => {
    cancelDeadline()
    stop()
  }
  const failed = (error: FleetError) => {
    end()
    seeker.failed(error)
  }
  const cancelDeadline = clock.setTimer(seekTimeoutMs, () => failed(why))
  const claimed: Asking['claimed'] = (claim) => {
    cancelDeadline()
    seeker.claimed(claim)
  }
  const refused = (reason: FleetError) => {
    why = reason
    stop()
    stop = clock.setTimer(pauseMs, ask)
    pauseMs = Math.min(2 * pauseMs, longestPauseMs)
  }
  function ask(): void {
    try {
      stop = askOnce(connection, options, { ...seeker, claimed, refused, failed })
    } catch (error) {
      failed(problems.ended(error))
    }
  }
  ask()
  return end
}
