import type { AgentEvent } from '../kernel/events.ts'
import { noteAnswers } from './note-answers.ts'
import { createCallNotes } from './note-calls.ts'
import { noteMark } from './note-mark.ts'
import { createRows } from './rows.ts'
import type { Timeline } from './timeline-row.ts'

/** A timeline that grows with a log. */
export interface TimelineBuilder {
  /** Adds the next event of the log. */
  readonly add: (event: AgentEvent) => void
  /** The timeline so far. A row that did not change is the same object, and without new events so is all of it. */
  readonly get: () => Timeline
}

/**
 * Creates a timeline. Its times never go back, even if the clock of the page did. A log without its ephemeral
 * events does not say when input was written or code began: a run then is as long as the call measured it, and input has
 * no phase.
 *
 * @example
 * ```ts
 * const timeline = createTimeline()
 * for await (const event of agent.events()) {
 *   timeline.add(event)
 *   draw(timeline.get())
 * }
 * ```
 */
export function createTimeline(): TimelineBuilder {
  const rows = createRows()
  const noteCall = createCallNotes(rows)
  let startedAt = 0
  let last: Timeline = { rows: [], startedAt: 0, endedAt: 0 }
  return {
    add: (event) => {
      if (startedAt === 0) startedAt = event.ts
      // Between two openings of a session no code ran.
      if (event.type === 'session_opened') rows.rest()
      rows.advance(event.ts)
      noteAnswers(rows, event)
      noteCall(event)
      noteMark(rows, event)
    },
    get: () => {
      const endedAt = rows.now()
      const current = rows.list()
      if (last.rows === current && last.endedAt === endedAt) return last
      last = { rows: current, startedAt, endedAt }
      return last
    },
  }
}
