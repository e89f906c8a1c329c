import type { Protocol } from '../exchange.ts'
import { type StreamEvent, toSse } from '../faults/answers.ts'

/** One answer as a vendor streams it. */
export interface Shape {
  readonly protocol: Protocol
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Encodes events, or raw text, as the bytes of a stream. */
export function shape(
  protocol: Protocol,
  name: string,
  events: readonly (StreamEvent | string)[],
): Shape {
  const text = events.map((event) => (typeof event === 'string' ? event : toSse(event))).join('')
  return { protocol, name, bytes: new TextEncoder().encode(text) }
}
