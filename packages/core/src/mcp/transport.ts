import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

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
