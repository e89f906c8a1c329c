import type { Clock } from '../internal/clock.ts'
import type { Fact } from '../kernel/events.ts'
import type { ToolTiming } from '../kernel/tool-result.ts'

/** Measures runs and calls, mostly by the facts that are written about them. What it did not see took 0 ms. */
export interface Stopwatch {
  readonly note: (fact: Fact) => void
  /** A call has a slot, and its execution is being made ready: no fact tells of that. */
  readonly noteOpening: (toolCallId: string) => void
  readonly runMs: () => number
  readonly timingOf: (toolCallId: string) => ToolTiming
}

interface Marks {
  readonly accepted: number
  readonly opening?: number
  readonly running?: number
}

/** A stopwatch on a clock that never jumps. */
export function createStopwatch(clock: Clock): Stopwatch {
  let runStartedAt: number | undefined
  const calls = new Map<string, Marks>()

  function mark(toolCallId: string, key: 'opening' | 'running'): void {
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
        case 'tool_running':
          mark(fact.toolCallId, 'running')
          break
        default:
      }
    },
    noteOpening: (toolCallId) => mark(toolCallId, 'opening'),
    runMs: () => (runStartedAt === undefined ? 0 : clock.monotonic() - runStartedAt),
    timingOf: (toolCallId) => {
      const now = clock.monotonic()
      const { accepted = now, opening = now, running = now } = calls.get(toolCallId) ?? {}
      return {
        queuedMs: opening - accepted,
        startMs: running - opening,
        runMs: now - running,
      }
    },
  }
}
