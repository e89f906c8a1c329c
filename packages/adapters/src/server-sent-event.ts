import type { Json } from '@offthread/core'

/** An event to be sent: with a name and data apart, or as one object with its type in it. */
export type Sendable =
  | { readonly event: string; readonly data: Json | object }
  | { readonly type: string }

/**
 * The text of a server-sent event, its empty line included. An event with `event` and `data` sends `data`;
 * one with a `type` is sent whole, under its type. A line break in a name cannot forge a field.
 *
 * @example
 * ```ts
 * const done = { type: 'done', max_turns_reached: false }
 * toServerSentEvent(done) // 'event: done\ndata: {"type":"done","max_turns_reached":false}\n\n'
 * ```
 */
export function toServerSentEvent(event: Sendable): string {
  const [name, data] = 'event' in event ? [event.event, event.data] : [event.type, event]
  return `event: ${name.replace(/[\r\n]+/g, ' ')}\ndata: ${JSON.stringify(data)}\n\n`
}
