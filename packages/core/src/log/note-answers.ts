import type { AgentEvent, EventOf } from '../kernel/events.ts'
import type { Rows } from './rows.ts'
import type { TimelineRow } from './timeline-row.ts'

/** Notes what an event tells about runs and answers. */
export function noteAnswers(rows: Rows, event: AgentEvent): void {
  switch (event.type) {
    case 'agent_start':
      startRun(rows, event)
      break
    case 'agent_end':
      rows.close(rows.get('run', event.runId ?? ''), event.reason)
      break
    case 'message_start':
      startAnswer(rows, event)
      break
    case 'message_end':
      endAnswer(rows, event)
      break
    case 'message_update':
      noteUpdate(rows, event)
      break
    default:
  }
}

function startRun(rows: Rows, event: EventOf<'agent_start'>): void {
  const { runId, trigger: label, parentToolCallId: parentId = null } = event
  rows.start({ kind: 'run', id: runId ?? '', parentId, label }, 'running')
}

function startAnswer(rows: Rows, { message, runId }: EventOf<'message_start'>): void {
  if (message.role !== 'assistant') return
  const { id, model } = message
  rows.start({ kind: 'answer', id, parentId: runId, label: model.id }, 'asking')
}

function endAnswer(rows: Rows, { message, error, excluded }: EventOf<'message_end'>): void {
  if (message.role !== 'assistant') return
  const { id, stopReason = 'stop' } = message
  rows.close(rows.get('answer', id), error ? 'error' : stopReason)
  // The calls of an answer that does not count are not shown.
  if (excluded === true) rows.removeCallsOf(id)
}

function noteUpdate(rows: Rows, event: EventOf<'message_update'>): void {
  const { messageId, assistantMessageEvent: step } = event
  rows.enter(rows.get('answer', messageId), 'streaming')
  if (step.type.endsWith('_delta')) return
  // When the next part starts, or the answer ends, the input before it is complete.
  const written = rows.list().findLast((row) => isBeingWritten(row, messageId))
  rows.enter(written, 'waiting')
  if (step.type !== 'toolcall_start') return
  const { toolCallId: id, toolName: label } = step
  rows.start({ kind: 'call', id, parentId: messageId, label }, 'input')
}

function isBeingWritten({ parentId, phases }: TimelineRow, messageId: string): boolean {
  return parentId === messageId && phases.at(-1)?.kind === 'input'
}
