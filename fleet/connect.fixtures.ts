import { type ConnectionOptions, connect } from '@nats-io/transport-node'
import { onTestFinished } from 'vitest'
import type { SessionStorage } from '../packages/core/src/storage/port.ts'
import { nats } from '../packages/nats/src/index.ts'

/** A storage with a connection of its own, which comes back at once after a cut. */
export function storageAt(
  servers: string | string[],
  options: ConnectionOptions = {},
  more: { readonly name?: string; readonly replicas?: number } = {},
): SessionStorage {
  const open = async () => {
    const connection = await connect({
      ...{ servers, maxReconnectAttempts: -1, reconnectDelayHandler: () => 20 },
      // Else it waits 20 s for a server that was killed while it greeted.
      timeout: 2000,
      ...options,
    })
    onTestFinished(() => connection.close())
    return connection
  }
  return nats({ connect: open, ...more })
}

export const at = (head: number, epoch = 0) => ({ head, epoch })
