import type { ToolCallView } from '@offthread/core'
import { textOfParts } from '../text/text-of-parts.ts'

/** How a call ended, unless it returned or threw. */
export function endingText(call: ToolCallView): string | undefined {
  const { status, how, attempt, mayHaveRun } = call
  switch (status) {
    case 'cancelled':
    case 'timed_out': {
      const what = status === 'cancelled' ? `Cancelled by ${cancellerOf(call)}` : 'Timed out'
      if (how === 'terminated')
        return `${what}. It did not stop by itself, so its worker was terminated.`
      if (how === 'cooperative') return `${what}. The tool stopped by itself.`
      return mayHaveRun ? `${what}.` : `${what} before it started.`
    }
    case 'interrupted':
      return attempt > 0 ? 'Interrupted. It may have run.' : 'Interrupted before it started.'
    case 'skipped':
      return 'Skipped: it was not run.'
    case 'denied':
      return 'Denied: it was not run.'
    default:
      return undefined
  }
}

/**
 * Who cancelled the call. If the user cancelled it or its run, the text for the model is a fixed one; if the tool did,
 * the text is the tool's own.
 */
export function cancellerOf({ how, result }: ToolCallView): string {
  const isOwn = /^Cancelled by the user/.test(textOfParts(result?.content ?? []))
  return isOwn || how !== undefined ? 'you' : 'the tool itself'
}
