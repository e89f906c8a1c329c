import { StorageError } from '@offthread/core/storage'

// The parts of a connection that are used. They are described by their shape only, so that a page has one copy of the
// library, of its own choice.

/** A connection to a NATS server, as `wsconnect` of `@nats-io/nats-core` and `connect` of its other transports make it. */
export interface NatsConnection {
  /** What the server says of itself. */
  readonly info?: ServerInfo | undefined
  // Methods, not fields with functions: TypeScript compares their parameters loosely, so the library's own connection fits.
  /** Sends a message and waits for its answer. */
  request(
    subject: string,
    data: Uint8Array | string,
    options?: RequestOptions,
  ): Promise<NatsMessage>
  /** Sends a message. */
  publish(subject: string, data?: string): void
  /** Calls back with each message of a subject. */
  subscribe(
    subject: string,
    options: { callback: (error: Error | null, message: NatsMessage) => void },
  ): { unsubscribe(): void }
  /** Says when the connection is cut, and when it is back. */
  status(): AsyncIterable<{ readonly type: string }>
  /** Resolves when the connection is closed for good. */
  closed(): Promise<unknown>
}

/** A NATS server. */
interface ServerInfo {
  /** The version of the server, such as `2.10.4`. */
  readonly version: string
  /** The most bytes of a message. */
  readonly max_payload: number
  /** Whether it keeps messages. */
  readonly jetstream?: boolean | undefined
}

interface RequestOptions {
  /** Milliseconds. */
  readonly timeout: number
  readonly headers?: object
}

export interface NatsMessage {
  readonly subject: string
  readonly reply?: string | undefined
  readonly data: Uint8Array
  readonly headers?: { readonly code: number; get(name: string): string } | undefined
  respond(): boolean
}

const encoder = new TextEncoder()

/** Headers as the library sends them. Each has its name, a colon and a value. */
export function headersOf(headers: readonly string[]): object {
  return { encode: () => encoder.encode(`NATS/1.0\r\n${headers.join('\r\n')}\r\n\r\n`) }
}

/** Bytes that a message has to be allowed, with its headers. */
export const leastMessageBytes = 4096
/** The most bytes of a message, where the server does not state it. */
const usualLimit = 1_048_576

/**
 * The most bytes of a message. Throws if they are too few: a server may be fit when a page connects, and say later that
 * its configuration has changed.
 */
export function mostBytesOf(info: NatsConnection['info']): number {
  const most = info?.max_payload ?? usualLimit
  if (most >= leastMessageBytes) return most
  throw new StorageError(
    'unavailable',
    `The server takes at most ${most} bytes in one message, which is too little for sessions. Set max_payload in its configuration to ${leastMessageBytes} or more; it is 1 MB by default.`,
  )
}
