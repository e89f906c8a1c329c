import { type Clock, platformClock } from '../internal/clock.ts'
import { reportLater } from '../internal/report-later.ts'
import { createCallLogs } from './call-logs.ts'
import { checkOptions } from './check-options.ts'
import { createConnection } from './connection.ts'
import { countUse } from './count-use.ts'
import { hostOf } from './host-of.ts'
import { openerOf } from './opener-of.ts'
import type { McpEndpoint, McpOptions, McpTools } from './options.ts'
import { fetchTools } from './tool-list.ts'

/**
 * Connects, and makes the host of the first list. Rejects with a `McpServerError`, and with a `TypeError` for options that
 * make no sense.
 */
export async function connectTools(endpoint: McpEndpoint, options: McpOptions): Promise<McpTools> {
  checkOptions(endpoint, options)
  const { connectTimeoutMs = 10_000, clock = platformClock, onToolsChanged } = options
  const logs = createCallLogs()
  const changes = atIntervals(onToolsChanged ?? (() => {}), clock)
  const connection = createConnection({
    openTransport: openerOf(endpoint, { ...options, clock }),
    connectTimeoutMs,
    clock,
    onNotification: (notification) => {
      if (notification.method === 'notifications/tools/list_changed') changes.note()
      logs.note(notification)
    },
  })
  try {
    const entries = await fetchTools(connection)
    const usage = countUse(connection.drop)
    const close = (): Promise<void> => {
      changes.stop()
      return connection.close()
    }
    const closing = { ...connection, close }
    return await hostOf(entries, {
      connection: closing,
      clock,
      options,
      logs,
      usage,
      names: new Map(),
    })
  } catch (error) {
    await connection.close().catch(() => undefined)
    throw error
  }
}

/** Milliseconds between two calls of `onToolsChanged`, which asks for the whole list again. */
const changesEveryMs = 1000

/** Calls without a wait, and then not again within the interval: calls that come meanwhile become one at its end. */
function atIntervals(call: () => void, clock: Clock) {
  let clear: (() => void) | null = null
  let isDue = false
  function note(): void {
    isDue = clear !== null
    if (isDue) return
    clear = clock.setTimer(changesEveryMs, () => {
      clear = null
      if (isDue) note()
    })
    try {
      call()
    } catch (error) {
      reportLater(error)
    }
  }
  return { note, stop: (): void => clear?.() }
}
