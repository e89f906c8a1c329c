import type { RunStatus } from '../kernel/status.ts'

/**
 * What a session does: nothing, a run, a run that waits for a person, nothing after a run that failed, or nothing since
 * its page ended in the middle of a run.
 */
export type SessionStatus = 'idle' | 'running' | 'waiting' | 'error' | 'interrupted'

/** The word for what an agent does. `interrupted` is never stored: the page is gone then. */
export function sessionStatusOf(status: RunStatus): SessionStatus {
  switch (status) {
    case 'ready':
      return 'idle'
    case 'error':
      return 'error'
    case 'awaiting_approval':
    case 'awaiting_tool_results':
      return 'waiting'
    default:
      return 'running'
  }
}
