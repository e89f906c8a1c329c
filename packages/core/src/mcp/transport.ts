import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isObject } from '../internal/json.ts'

/** The session, which outlives a connection: the next connection continues it. */
export interface Session {
  id?: string | undefined
  protocolVersion?: string | undefined
}

/** A transport that can end the session at the server. */
export interface EndableTransport extends Transport {
  terminateSession?(): Promise<void>
  /** Resolves when more messages may be delivered; `undefined` if they may be at once. */
  room?(): Promise<void> | undefined
}

/** Whether a value has what a client of the SDK needs of a transport. */
export function isTransport(value: unknown): value is Transport {
  return (
    isObject(value) && typeof value['start'] === 'function' && typeof value['send'] === 'function'
  )
}
