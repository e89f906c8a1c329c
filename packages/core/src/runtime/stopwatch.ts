import type { Clock } from '../internal/clock.ts'
import type { Fact } from '../kernel/events.ts'
import type { ToolTiming } from '../kernel/tool-outcome.ts'

/** Measures runs and calls, mostly by their facts. A phase that the stopwatch did not see counts as 0 ms. */
export interface Stopwatch {
  readonly note: (fact: Fact) => void
  /** An attempt of a call has its slot and opens its execution. */
  readonly noteOpening: (toolCallId: string) => void
  /** The tool's code has started. */
  readonly noteRunning: (toolCallId: string) => void
  /** The tool's code has finished; hooks that run afterwards are not counted. */
  readonly noteSettled: (toolCallId: string) => void
  readonly runMs: () => number
  readonly timingOf: (toolCallId: string) => ToolTiming
}

interface Marks {
  readonly accepted: number
  readonly opening?: number
  readonly running?: number
  readonly settled?: number
}

/** A stopwatch on a clock that never jumps. */
export function createStopwatch(clock: Clock): Stopwatch {
  let runStartedAt: number | undefined
  const calls = new Map<string, Marks>()

  function mark(toolCallId: string, key: 'running' | 'settled'): void {
    const marks = calls.get(toolCallId)
    if (marks) calls.set(toolCallId, { ...marks, [key]: clock.monotonic() })
  }

  return {
    note: (fact) => {
      switch (fact.type) {
        case 'agent_start':
          runStartedAt = clock.monotonic()
          break
        case 'agent_end':
          calls.clear()
          break
        case 'tool_execution_start':
          calls.set(fact.toolCallId, { accepted: clock.monotonic() })
          break
        default:
      }
    },
    noteOpening: (toolCallId) => {
      const accepted = calls.get(toolCallId)?.accepted
      if (accepted !== undefined) calls.set(toolCallId, { accepted, opening: clock.monotonic() })
    },
    noteRunning: (toolCallId) => mark(toolCallId, 'running'),
    noteSettled: (toolCallId) => mark(toolCallId, 'settled'),
    runMs: () => (runStartedAt === undefined ? 0 : clock.monotonic() - runStartedAt),
    timingOf: (toolCallId) => {
      const now = clock.monotonic()
      const marks = calls.get(toolCallId)
      const { accepted = now, settled = now } = marks ?? {}
      const { opening = settled, running = settled } = marks ?? {}
      return {
        queuedMs: opening - accepted,
        startMs: running - opening,
        runMs: settled - running,
      }
    },
  }
}
