import type { AgentState, ToolCallStatus } from '@offthread/core'
import { counted, formatCount } from '../text/quantity.ts'
import { shownStatus } from './shown-status.ts'

const words = ['writing', 'running', 'queued', 'waiting', 'done', 'failed', 'stopped'] as const

type CallGroup = (typeof words)[number]

/** The number of calls in each group of statuses. */
export type CallCounts = Readonly<Record<CallGroup | 'total', number>>

/** Counts the calls of these ids. */
export function countCalls(toolCalls: AgentState['toolCalls'], ids: readonly string[]): CallCounts {
  const counts = { ...none }
  for (const id of ids) {
    const call = toolCalls.get(id)
    if (!call) continue
    counts.total += 1
    counts[groups[shownStatus(toolCalls, call)]] += 1
  }
  return counts
}

const none: CallCounts = {
  ...{ total: 0, writing: 0, running: 0, queued: 0 },
  ...{ waiting: 0, done: 0, failed: 0, stopped: 0 },
}

const groups: Readonly<Record<ToolCallStatus, CallGroup>> = {
  input_streaming: 'writing',
  awaiting_approval: 'waiting',
  queued: 'queued',
  starting: 'running',
  running: 'running',
  cancelling: 'running',
  succeeded: 'done',
  failed: 'failed',
  timed_out: 'failed',
  denied: 'stopped',
  skipped: 'stopped',
  cancelled: 'stopped',
  interrupted: 'stopped',
}

/** `4 tools · 2 running · 1 done · 1 failed`. */
export function countsText(counts: CallCounts): string {
  const groups = words
    .filter((group) => counts[group] > 0)
    .map((group) => `${formatCount(counts[group])} ${group}`)
  return [counted(counts.total, 'tool'), ...groups].join(' · ')
}
