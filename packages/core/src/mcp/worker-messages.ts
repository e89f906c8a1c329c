import { isObject } from '../internal/json.ts'
import type { Session } from './transport.ts'

/** What the page asks of the worker that has the connection. `n` names what the worker reports as done. */
export type ToConnection =
  | { readonly type: 'start'; readonly n: number; readonly session: Session }
  | { readonly type: 'send'; readonly n: number; readonly message: unknown }
  | { readonly type: 'end'; readonly n: number }
  | { readonly type: 'version'; readonly version: string }
  /** How many messages of this connection the page has taken so far. */
  | { readonly type: 'taken'; readonly count: number }

/** The messages of the worker. */
export type FromConnection =
  | { readonly type: 'message'; readonly message: unknown }
  | {
      readonly type: 'done'
      readonly n: number
      readonly session: Session
      readonly problem?: { readonly kind: string; readonly message: string }
    }

/** How many messages the worker sends ahead of the page, however fast the server is; and how often the page says how far it is. */
export const mostAhead = 256
export const takenEvery = 64

/** A session that came as a message. */
export function readSession(value: unknown): Session {
  const { id, protocolVersion } = isObject(value) ? value : {}
  return {
    id: typeof id === 'string' ? id : undefined,
    protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : undefined,
  }
}
