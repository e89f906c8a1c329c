import type { AgentEvent, EventOf } from '../../kernel/events.ts'
import { keptLogLines } from '../../kernel/fold-batch.ts'
import { grownAnswer, repeatedAnswer, type StreamedAnswer } from './repeated-answer.ts'

/** The notices that are not stored: how the open calls stand, and what the agents inside them are answering. */
export interface CallNotices {
  readonly note: (event: AgentEvent) => void
  /**
   * The latest notice of each kind for each open call, and its last log lines; of an inner answer, what is there so
   * far.
   */
  readonly open: () => readonly AgentEvent[]
}

export function createCallNotices(): CallNotices {
  const calls = new Map<string, Notices>()
  /** The answers of agents inside calls only: for the session's own answer a checkpoint is stored. */
  const inner = new Map<string, StreamedAnswer>()

  function noticesOf(toolCallId: string): Notices {
    const notices = calls.get(toolCallId) ?? { latest: new Map(), logs: [] }
    calls.set(toolCallId, notices)
    return notices
  }

  function noteInner(agentId: string, event: EventOf<'message_update'>): void {
    inner.set(agentId, grownAnswer(inner.get(agentId), event))
  }

  return {
    note: (event) => {
      switch (event.type) {
        case 'message_update':
          if (event.agentId !== undefined) noteInner(event.agentId, event)
          break
        case 'message_end':
        case 'agent_end':
          inner.delete(event.agentId ?? '')
          break
        case 'tool_running':
        case 'tool_execution_update':
        case 'tool_progress':
          noticesOf(event.toolCallId).latest.set(event.type, event)
          break
        case 'tool_log':
          addLog(noticesOf(event.toolCallId).logs, event)
          break
        case 'auto_retry_start':
          calls.get(event.toolCallId ?? '')?.latest.delete('tool_progress')
          break
        case 'tool_execution_end':
          calls.delete(event.toolCallId)
          break
        default:
      }
    },
    open: () => [
      ...[...calls.values()].flatMap(({ latest, logs }) => [...latest.values(), ...logs]),
      ...[...inner.values()].flatMap(repeatedAnswer),
    ],
  }
}

interface Notices {
  readonly latest: Map<AgentEvent['type'], AgentEvent>
  readonly logs: EventOf<'tool_log'>[]
}

/** Older lines, which no card shows, are only counted. */
function addLog(logs: EventOf<'tool_log'>[], event: EventOf<'tool_log'>): void {
  const last = logs.at(-1)
  // An event without lines only says how many were left out before the next ones.
  if (last?.lines.length === 0) {
    logs[logs.length - 1] = { ...event, dropped: last.dropped + event.dropped }
    return
  }
  logs.push(event)
  let count = logs.reduce((sum, { lines }) => sum + lines.length, 0)
  for (let [first, second] = logs; first && second; [first, second] = logs) {
    count -= first.lines.length
    if (count < keptLogLines) return
    logs.splice(0, 2, { ...second, dropped: second.dropped + first.dropped + first.lines.length })
  }
}
