import type { FleetConnection, NatsMessage } from '../wire/connection.ts'
import { queueGroup, type Subjects } from '../wire/subjects.ts'

export interface RequestDesk {
  /** Call it when there may be room, or may be none any more. */
  readonly showRoom: () => void
  /** Resolves when no request is on its way any more. */
  readonly leave: () => Promise<void>
}

/**
 * Takes requests of pages. Each goes to one of the processes that have room. One that none of them took goes to any
 * process, which may refuse it.
 */
export function takeRequests(
  connection: FleetConnection,
  subjects: Subjects,
  desk: {
    readonly hasRoom: () => boolean
    /** Also called when there is no room, to refuse the request. */
    readonly receive: (message: NatsMessage) => void
  },
): RequestDesk {
  const options = { queue: queueGroup, callback: receiving(desk.receive) }
  const whileRunning = connection.subscribe(subjects.openFull, options)
  let whileRoom: typeof whileRunning | null = null

  const showRoom = () => {
    if (desk.hasRoom()) {
      whileRoom ??= connection.subscribe(subjects.open, options)
    } else {
      // Requests on their way are still refused, so that no page waits in vain.
      void whileRoom?.drain()
      whileRoom = null
    }
  }
  showRoom()
  return {
    showRoom,
    leave: async () => {
      await Promise.all([whileRoom?.drain(), whileRunning.drain()])
    },
  }
}

/** A callback for messages only: the end of a connection is noticed elsewhere. */
export function receiving(
  receive: (message: NatsMessage) => void,
): (error: Error | null, message: NatsMessage) => void {
  return (error, message) => {
    if (!error) receive(message)
  }
}
