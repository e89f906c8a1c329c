import type { AgentState, ToolCallView } from '@offthread/core'
import { counted } from '../text/quantity.ts'

/** How many calls are where. */
export interface CallCounts {
  readonly total: number
  readonly running: number
  readonly queued: number
  readonly done: number
  readonly failed: number
  /** Cancelled, skipped, denied, interrupted. */
  readonly stopped: number
}

/** Counts the calls of these ids. */
export function countCalls({ toolCalls }: AgentState, ids: readonly string[]): CallCounts {
  const counts = { total: 0, running: 0, queued: 0, done: 0, failed: 0, stopped: 0 }
  for (const id of ids) {
    const call = toolCalls.get(id)
    if (!call) continue
    counts.total += 1
    counts[groupOf(call)] += 1
  }
  return counts
}

function groupOf({ status }: ToolCallView): Exclude<keyof CallCounts, 'total'> {
  switch (status) {
    case 'input_streaming':
    case 'awaiting_approval':
    case 'queued':
      return 'queued'
    case 'starting':
    case 'running':
    case 'cancelling':
      return 'running'
    case 'succeeded':
      return 'done'
    case 'failed':
    case 'timed_out':
      return 'failed'
    case 'denied':
    case 'skipped':
    case 'cancelled':
    case 'interrupted':
      return 'stopped'
  }
}

/** `4 tools · 2 running · 1 failed`. */
export function countsText({ total, running, queued, failed, stopped }: CallCounts): string {
  const parts = [
    counted(total, 'tool'),
    running > 0 && `${running} running`,
    queued > 0 && `${queued} queued`,
    failed > 0 && `${failed} failed`,
    stopped > 0 && `${stopped} stopped`,
  ]
  return parts.filter(Boolean).join(' · ')
}
