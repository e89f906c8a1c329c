import type { Agent, AgentEvent } from '@offthread/core'
import { createTimeline, type Timeline, type TimelineBuilder } from '@offthread/core/log'
import { useEventRecord } from './event-record.ts'
import { useReading } from './use-reading.ts'

/**
 * What an agent spent its time on, live: its runs, answers and calls, each in phases. A row that did not change keeps its
 * identity, so a `memo` component for it does not render; a phase that goes on has no end, and is drawn with a clock. The
 * component renders at most once per frame, and only while something happens. A long log comes part by part.
 *
 * @example
 * ```tsx
 * const { rows, startedAt } = useTimeline(agent)
 * return rows.map(({ kind, id, label, phases }, index) => (
 *   <p key={index}>
 *     {label}: {phases.map((phase) => `${phase.kind} from ${phase.startedAt - startedAt} ms`).join(', ')}
 *   </p>
 * ))
 * ```
 */
export function useTimeline(agent: Agent): Timeline {
  const { events, length } = useEventRecord(agent)
  return timelineOf(events, useReading(events, length))
}

interface Followed {
  readonly builder: TimelineBuilder
  noted: number
}

const followed = new WeakMap<readonly AgentEvent[], Followed>()

// All components that show one log share its timeline. A log only grows, so each event is noted once.
function timelineOf(events: readonly AgentEvent[], length: number): Timeline {
  const current = followed.get(events) ?? { builder: createTimeline(), noted: 0 }
  followed.set(events, current)
  for (; current.noted < length; current.noted += 1) {
    const event = events[current.noted]
    if (event) current.builder.add(event)
  }
  return current.builder.get()
}
