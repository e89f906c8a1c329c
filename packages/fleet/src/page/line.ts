import type { FleetConnection } from '../wire/connection.ts'
import { payloadProblem } from '../wire/link.ts'
import { FleetError } from './fleet-error.ts'
import { problems } from './problems.ts'

/** A connection, or what opens one when the first call needs it. */
export type FleetConnector = FleetConnection | (() => FleetConnection | Promise<FleetConnection>)

/** The connection that all calls of a host share. */
export interface Line {
  /** Rejects with a `FleetError`. What failed is tried again with the next call. */
  readonly open: () => Promise<FleetConnection>
  /** Calls back when the open connection ends for good. Returns a function that ends this. */
  readonly onEnd: (listener: (error: FleetError) => void) => () => void
}

export function createLine(connector: FleetConnector): Line {
  const listeners = new Set<(error: FleetError) => void>()
  let opening: Promise<FleetConnection> | undefined

  const open = async (): Promise<FleetConnection> => {
    const connection = await connect(connector)
    const problem = payloadProblem(connection.info?.max_payload ?? Number.POSITIVE_INFINITY)
    if (problem !== undefined) throw new FleetError('too_large', problem)
    const end = (reason: unknown) => {
      opening = undefined
      for (const listener of listeners) listener(problems.ended(reason))
    }
    connection.closed().then(end, end)
    return connection
  }
  return {
    open: () => {
      opening ??= open().catch((error: unknown) => {
        opening = undefined
        throw error
      })
      return opening
    },
    onEnd: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

async function connect(connector: FleetConnector): Promise<FleetConnection> {
  if (typeof connector !== 'function') return connector
  try {
    return await connector()
  } catch (cause) {
    throw problems.unreachable(cause)
  }
}
