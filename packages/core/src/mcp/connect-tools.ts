import { platformClock } from '../internal/clock.ts'
import { createCallLogs } from './call-logs.ts'
import { createConnection } from './connection.ts'
import { countUse } from './count-use.ts'
import { hostOf } from './host-of.ts'
import { openerOf } from './opener-of.ts'
import type { McpEndpoint, McpOptions, McpTools } from './options.ts'
import { fetchTools } from './tool-list.ts'

/** Connects, and makes the host of the first list. Rejects with a `McpServerError`. */
export async function connectTools(endpoint: McpEndpoint, options: McpOptions): Promise<McpTools> {
  const { connectTimeoutMs = 10_000, clock = platformClock, onToolsChanged } = options
  const logs = createCallLogs()
  const connection = createConnection({
    openTransport: openerOf(endpoint, { ...options, clock }),
    connectTimeoutMs,
    clock,
    onNotification: (notification) => {
      if (notification.method === 'notifications/tools/list_changed') onToolsChanged?.()
      logs.note(notification)
    },
  })
  try {
    const entries = await fetchTools(connection)
    const usage = countUse(connection.drop)
    return hostOf(entries, { connection, clock, options, logs, usage, names: new Map() })
  } catch (error) {
    await connection.close().catch(() => undefined)
    throw error
  }
}
