import { defined } from '../src/internal/defined.ts'
import type { AgentEvent } from '../src/kernel/events.ts'
import type { ToolProgress } from '../src/kernel/tool-outcome.ts'
import type { CallNotice } from '../src/tools/host.ts'

/** One thing that a call sent: its text, which no other has, and whether a later thing may replace it. */
export interface Said {
  readonly text: string
  /** Of the things in one series an interval may keep only the latest. `null`: nothing may replace it. */
  readonly series: string | null
}

/** An item of what arrived: one thing, or how many were left out in its place. */
export type Received = { readonly text: string } | { readonly leftOut: number }

/** A notice as the code of a tool sends it. The lines of a log come one at a time. */
export type Saying = Exclude<CallNotice, { readonly type: 'running' }>

/** Reads the notices of a call, one by one. `thins`: the interval of reports is more than 0 ms. */
export function createSaidReader(thins: boolean): (saying: Saying) => Said {
  let before: ToolProgress = {}
  let reports = 0
  return (saying) => {
    const text = textOf(saying)
    if (saying.type === 'update') return { text, series: thins ? 'updates' : null }
    if (saying.type !== 'progress') return { text, series: null }
    const { status, message, unit, value, total } = saying.progress
    const isSame = status === before.status && message === before.message && unit === before.unit
    if (!isSame) reports += 1
    before = saying.progress
    const hasNumbers = value !== undefined || total !== undefined
    return { text, series: thins && isSame && hasNumbers ? `report ${reports}` : null }
  }
}

/** What a listener received, as items for `problemWithReceived`. */
export function receivedIn(notice: CallNotice): readonly Received[] {
  if (notice.type === 'running') return []
  if (notice.type !== 'log') return [{ text: textOf(notice) }]
  const { lines, dropped } = notice
  return [
    ...(dropped > 0 ? [{ leftOut: dropped }] : []),
    ...lines.map((line) => ({ text: textOf({ type: 'log', lines: [line], dropped: 0 }) })),
  ]
}

/** The event of a call, as what its listener received. */
export function noticeIn(event: AgentEvent): CallNotice | null {
  switch (event.type) {
    case 'tool_execution_update':
      return { type: 'update', partial: event.partialResult }
    case 'tool_progress': {
      const { message, status, value, total, unit } = event
      return { type: 'progress', progress: defined({ message, status, value, total, unit }) }
    }
    case 'tool_log':
      return { type: 'log', lines: event.lines, dropped: event.dropped }
    case 'tool_custom':
      return { type: 'custom', name: event.name, data: event.data, durable: event.durable === true }
    default:
      return null
  }
}

/**
 * W9, I39: why what arrived of a call is not what it said; `null` if it is. `isOver`: the call has ended by itself, so
 * nothing may be missing at the end either.
 */
export function problemWithReceived(
  said: readonly Said[],
  received: readonly Received[],
  isOver: boolean,
): string | null {
  let at = 0
  let leftOut = 0
  const skipTo = (end: number, name: string): string | null => {
    const skipped = said.slice(at, end)
    const lost = skipped.filter(({ series }) => series === null)
    const replaceable = skipped.length - lost.length
    if (lost.length > leftOut) {
      return `${lost.length} are missing before ${name}, ${leftOut} were counted: ${lost[0]?.text}`
    }
    if (leftOut > lost.length + replaceable) {
      return `${leftOut} were counted before ${name}, ${lost.length} are missing`
    }
    const last = skipped.find(({ series }, i) => {
      return series !== null && !said.slice(at + i + 1).some((later) => later.series === series)
    })
    if (last && leftOut === lost.length) return `the latest of its kind is missing: ${last.text}`
    at = end
    leftOut = 0
    return null
  }
  for (const one of received) {
    if ('leftOut' in one) {
      leftOut += one.leftOut
      continue
    }
    const found = said.findIndex(({ text }, i) => i >= at && text === one.text)
    if (found === -1) return `arrived out of order, twice, or never said: ${one.text}`
    const problem = skipTo(found, one.text)
    if (problem !== null) return problem
    at = found + 1
  }
  return isOver ? skipTo(said.length, 'the end') : null
}

function textOf(saying: Saying): string {
  // The time of a line is left out.
  if (saying.type === 'log') return `log ${saying.lines.map(({ text }) => text).join()}`
  if (saying.type !== 'progress') return JSON.stringify(saying)
  const { message, status, value, total, unit } = saying.progress
  return JSON.stringify({ message, status, value, total, unit })
}
