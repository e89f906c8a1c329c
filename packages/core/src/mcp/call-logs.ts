import type { Notification } from '@modelcontextprotocol/sdk/types.js'
import { cutEnd } from '../internal/cut-text.ts'

/** Receives one line. */
type WriteLine = (line: string) => void

/** The logs of the calls that run. A server's log message does not say which call it is of: each of them gets it. */
export interface CallLogs {
  /** Adds a log until the promise is settled. */
  readonly during: <Value>(write: WriteLine, work: () => Promise<Value>) => Promise<Value>
  /** Writes what a notification logs, if it logs something. */
  readonly note: (notification: Notification) => void
}

export function createCallLogs(): CallLogs {
  const open = new Set<WriteLine>()
  return {
    during: async (write, work) => {
      // A new function, so that one that is added twice is called twice.
      const own: WriteLine = (line) => write(line)
      open.add(own)
      try {
        return await work()
      } finally {
        open.delete(own)
      }
    },
    note: ({ method, params = {} }) => {
      if (method !== 'notifications/message' || open.size === 0) return
      const { level, logger, data } = params
      const words = typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
      const from = [level, logger].filter((one) => typeof one === 'string').join(' ')
      const line = cutEnd(`${from}: ${words}`, 2000)
      for (const write of open) write(line)
    },
  }
}
