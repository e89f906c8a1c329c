import {
  createSaidReader,
  noticeIn,
  problemWithReceived,
  type Received,
  receivedIn,
  type Said,
  type Saying,
} from '../packages/core/rules/said.ts'
import type { AgentEvent } from '../packages/core/src/kernel/events.ts'
import type { EventRule } from './retry-rule.ts'

/** W9 and I39: what the calls of a session say is what arrives, in its order. */
export interface Hearing {
  /** The code of a call says something. */
  readonly said: (executionId: string, saying: Saying) => void
  readonly see: EventRule
}

interface Speaker {
  readonly read: (saying: Saying) => Said
  readonly said: Said[]
}

interface Listened {
  readonly executionId: string
  readonly received: Received[]
}

/** `thins`: the interval of reports is more than nothing. */
export function createHearing(thins: boolean): Hearing {
  const speakers = new Map<string, Speaker>()
  const calls = new Map<string, Listened>()
  const check = (toolCallId: string, isOver: boolean): string | null => {
    const { executionId = '', received = [] } = calls.get(toolCallId) ?? {}
    const speaker = speakers.get(executionId)
    return speaker ? problemWithReceived(speaker.said, received, isOver) : null
  }
  return {
    said: (executionId, saying) => {
      const speaker = speakers.get(executionId) ?? { read: createSaidReader(thins), said: [] }
      speakers.set(executionId, speaker)
      speaker.said.push(speaker.read(saying))
    },
    see: (event) => {
      note(calls, event)
      if (event.type === 'tool_execution_end') {
        return check(event.toolCallId, event.outcome === 'succeeded')
      }
      if (event.type !== 'auto_retry_start' || event.toolCallId === undefined) return null
      return check(event.toolCallId, false)
    },
  }
}

function note(calls: Map<string, Listened>, event: AgentEvent): void {
  if (event.type === 'tool_dispatched') {
    calls.set(event.toolCallId, { executionId: event.executionId, received: [] })
    return
  }
  const notice = noticeIn(event)
  if (notice === null || !('toolCallId' in event)) return
  calls.get(event.toolCallId ?? '')?.received.push(...receivedIn(notice))
}
