import type { AgentEvent, EventOf, RunEndReason } from '@offthread/core'
import { sentenceFor } from '../text/error-text.ts'
import { counted } from '../text/quantity.ts'
import { textOfParts } from '../text/text-of-parts.ts'
import type { DemoCall } from '../tools/host-tools.ts'

/** A sentence for assistive technology to read aloud. */
export interface Announcement {
  readonly text: string
  /** Interrupts the current speech. */
  readonly urgent: boolean
}

type FindCall = (toolCallId: string) => DemoCall | undefined

/** Puts the events of one moment into as few sentences as possible: only starts, ends and retries. */
export function announcementsFor(
  events: readonly AgentEvent[],
  callOf: FindCall,
): readonly Announcement[] {
  const starts = events.filter((event) => event.type === 'tool_execution_start')
  const ends = events.filter((event) => event.type === 'tool_execution_end')
  const retry = events.findLast((event) => event.type === 'auto_retry_start')
  const runEnd = events.findLast((event) => event.type === 'agent_end')
  return [
    ...startWords(starts).map(polite),
    ...endWords(ends, callOf),
    ...(retry && !runEnd ? retryWords(retry) : []),
    ...(runEnd ? runEndWords(runEnd) : []),
  ]
}

function startWords(starts: readonly EventOf<'tool_execution_start'>[]): readonly string[] {
  const [first] = starts
  if (!first) return []
  return [starts.length === 1 ? `Running ${first.label}` : `Running ${starts.length} tools`]
}

const mostFailures = 3

function endWords(
  ends: readonly EventOf<'tool_execution_end'>[],
  callOf: FindCall,
): readonly Announcement[] {
  const failed = ends.filter(({ outcome }) => outcome === 'failed' || outcome === 'timed_out')
  const others = ends.filter((end) => !failed.includes(end))
  const failures = failed.slice(0, mostFailures).map((end) => ({
    text: `${labelOf(callOf(end.toolCallId))} failed: ${textOfParts(end.result.content).slice(0, 200)}`,
    urgent: true,
  }))
  const left = failed.length - failures.length
  if (left > 0) failures.push({ text: `${counted(left, 'more tool')} failed`, urgent: true })
  if (others.length > 2) {
    return [polite(`${counted(others.length, 'tool')} finished`), ...failures]
  }
  return [...others.map((end) => polite(endText(end, callOf(end.toolCallId)))), ...failures]
}

function endText({ outcome }: EventOf<'tool_execution_end'>, call: DemoCall | undefined): string {
  const label = labelOf(call)
  if (outcome !== 'succeeded') return `${label} ${outcome}`
  const rows = rowsOf(call)
  return rows === undefined ? `${label} finished` : `${label} finished, ${counted(rows, 'row')}`
}

function labelOf(call: DemoCall | undefined): string {
  return call?.label ?? 'A tool'
}

function rowsOf(call: DemoCall | undefined): number | undefined {
  if (call?.toolName === 'sql_query') return call.output?.rowCount
  return call?.toolName === 'load_table' ? call.output?.rows : undefined
}

function retryWords(retry: EventOf<'auto_retry_start'>): readonly Announcement[] {
  if (retry.scope === 'tool') return []
  const { attempt, maxAttempts, delayMs } = retry
  const wait = counted(Math.ceil(delayMs / 1000), 'second')
  return [polite(`The model did not answer. Attempt ${attempt} of ${maxAttempts} in ${wait}`)]
}

function runEndWords({ reason, error }: EventOf<'agent_end'>): readonly Announcement[] {
  if (reason === 'error')
    return [{ text: `The answer failed: ${error ? sentenceFor(error) : ''}`, urgent: true }]
  return [polite(endNames[reason] ?? 'The run ended')]
}

const endNames: Partial<Readonly<Record<RunEndReason, string>>> = {
  stop: 'Answer complete',
  terminated: 'Answer complete',
  aborted: 'Stopped',
  max_turns: 'Ended: too many steps',
}

function polite(text: string): Announcement {
  return { text, urgent: false }
}
