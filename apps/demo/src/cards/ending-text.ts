import type { ToolCallView } from '@offthread/core'

/** How a call came to its end, where it did not simply finish. */
export function endingText({ status, how, mayHaveRun }: ToolCallView): string | undefined {
  switch (status) {
    case 'cancelled':
    case 'timed_out': {
      const what = status === 'cancelled' ? 'Cancelled' : 'Timed out'
      if (how === 'terminated')
        return `${what}. It did not stop by itself, so its worker was terminated.`
      if (how === 'cooperative') return `${what}. The tool stopped by itself.`
      return mayHaveRun ? `${what}.` : `${what} before it began.`
    }
    case 'interrupted':
      return mayHaveRun ? 'Interrupted. It may have run.' : 'Interrupted before it began.'
    case 'skipped':
      return 'Skipped: it was not run.'
    case 'denied':
      return 'Denied: it was not run.'
    default:
      return undefined
  }
}
