import type { AgentEvent } from '../packages/core/src/kernel/events.ts'
import { isDurable } from '../packages/core/src/kernel/events.ts'
import type { ModelRequest } from '../packages/core/src/model/port.ts'
import type { PostedRun } from './world/workers.ts'
import type { World } from './world/world.ts'

/** A rule that did not hold, and where. */
export interface BrokenRule {
  readonly rule: string
  readonly why: string
}

/** Watches one session with every rule there is. */
export interface Judge {
  readonly event: (event: AgentEvent) => void
  readonly request: (request: ModelRequest) => void
  readonly workers: (live: number) => void
  readonly posted: (run: PostedRun) => void
  readonly broken: (rule: string, why: string) => void
  /** What is broken so far. */
  readonly found: () => readonly BrokenRule[]
}

export function createJudge(_world: World): Judge {
  const found: BrokenRule[] = []
  const dispatched = new Set<string>()
  const posted = new Set<string>()
  const broken = (rule: string, why: string): void => {
    if (found.length < 10) found.push({ rule, why })
  }
  let seq = -1
  return {
    event: (event) => {
      if (isDurable(event)) {
        if (event.seq !== seq + 1) broken('I1', `${event.seq} after ${seq}`)
        seq = event.seq
      }
      if (event.type === 'tool_dispatched') dispatched.add(event.executionId)
    },
    request: () => {},
    workers: () => {},
    posted: (run) => {
      if (!dispatched.has(run.executionId)) broken('I33', `${run.toolCallId} ran before its fact`)
      const attempt = `${run.toolCallId} ${run.attempt}`
      if (posted.has(attempt)) broken('I33', `${attempt} ran twice`)
      posted.add(attempt)
    },
    broken,
    found: () => found,
  }
}
