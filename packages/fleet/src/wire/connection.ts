/** A message as a connection to NATS hands it over. */
export interface NatsMessage {
  readonly subject: string
  readonly data: Uint8Array
  /** The subject on which an answer is expected. */
  readonly reply?: string
  /** With code 503 and no data: the server says that no subscription has taken what was published. */
  readonly headers?: { readonly code: number }
}

/**
 * What is used of a connection to NATS: that of `wsconnect` of `@nats-io/nats-core` in a page, of `connect` of
 * `@nats-io/transport-node` in Node.
 */
export interface FleetConnection {
  /** What the server has said of itself. */
  readonly info?: { readonly max_payload: number }
  /** Throws when the connection is closed. */
  readonly publish: (
    subject: string,
    payload: Uint8Array,
    options?: { readonly reply: string },
  ) => void
  /** Calls back for each message, or with the reason why there will be none. */
  readonly subscribe: (
    subject: string,
    options: {
      queue?: string
      callback: (error: Error | null, message: NatsMessage) => void
    },
  ) => NatsSubscription
  /** Resolves when the connection has ended for good, with the reason if there is one. */
  readonly closed: () => Promise<unknown>
}

interface NatsSubscription {
  /** Ends the subscription without waiting for messages on their way. */
  readonly unsubscribe: () => void
  /** The server sends no more messages, and those on their way still arrive. */
  readonly drain: () => Promise<void>
}

/** The code that the server answers with when there is no subscription. */
export const noResponders = 503
