import type { Bytes } from './bytes.ts'
import type { Channel } from './channel.ts'
import type { Database } from './database.ts'
import type { Leavings } from './leavings.ts'
import type { SpareCopies } from './spare-copies.ts'

/** The objects that the parts of the storage share. */
export interface Ports {
  readonly database: Database
  readonly bytes: Bytes
  readonly channel: Channel
  readonly copies: SpareCopies
  readonly leavings: Leavings
}
