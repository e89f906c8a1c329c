import type { AgentEvent } from '../kernel/events.ts'
import type { Message } from '../kernel/message.ts'
import type { Rows } from './rows.ts'
import type { Mark, TimelineRow } from './timeline-row.ts'

type Moment = Omit<Mark, 'at'>

/** Notes what happens to a run or a call within its phases. */
export function noteMark(rows: Rows, event: AgentEvent): void {
  const ofCall = momentOfCall(event)
  if (ofCall && 'toolCallId' in event) add(rows, rows.get('call', event.toolCallId ?? ''), ofCall)
  const ofRun = momentOfRun(event)
  if (ofRun && event.runId !== null) add(rows, rows.get('run', event.runId), ofRun)
}

/** The most marks of one row, so that a call with thousands of errors in its log can be drawn. */
const mostMarks = 50

function add(rows: Rows, row: TimelineRow | undefined, moment: Moment): void {
  const mark = { ...moment, at: rows.now() }
  if (!row || row.marks.length >= mostMarks || row.marks.some((one) => isSame(one, mark))) return
  rows.set({ ...row, marks: [...row.marks, mark] })
}

/** Equal marks of one moment are drawn once. */
function isSame(one: Mark, other: Mark): boolean {
  return one.at === other.at && one.kind === other.kind && one.label === other.label
}

function momentOfCall(event: AgentEvent): Moment | undefined {
  switch (event.type) {
    case 'tool_approval_resolved':
      return { kind: 'approval', label: event.decision }
    case 'tool_log': {
      const line = event.lines.find(({ level }) => level === 'error')
      return line && { kind: 'error', label: short(line.text) }
    }
    default:
      return undefined
  }
}

function momentOfRun(event: AgentEvent): Moment | undefined {
  switch (event.type) {
    case 'message_start':
      return messageMoment(event.message)
    case 'abort_requested':
      return { kind: 'stop', label: `by ${event.by}` }
    case 'auto_retry_start':
      return event.scope === 'model'
        ? { kind: 'retry', label: `attempt ${event.attempt}: ${short(event.error.message)}` }
        : undefined
    case 'compaction_start':
      return { kind: 'summary', label: event.reason }
    case 'output_checked':
      return event.problem === undefined
        ? undefined
        : { kind: 'repair', label: short(event.problem) }
    case 'warning':
      return { kind: 'warning', label: short(event.message) }
    case 'loop_detected':
      return { kind: 'warning', label: `${event.toolName} ${event.repetitions} times` }
    default:
      return undefined
  }
}

/** The mark for a message that a person sent into the run. A repair has a mark of its own. */
function messageMoment(message: Message): Moment | undefined {
  if (message.role !== 'user') return undefined
  const { source, content } = message
  if (source !== 'steering' && source !== 'follow_up') return undefined
  const text = content.find((part) => part.type === 'text')
  return { kind: source, label: text ? short(text.text) : '' }
}

const mostChars = 120

function short(text: string): string {
  const line = text.slice(0, mostChars + 1).split('\n', 1)[0] ?? ''
  return line.length > mostChars ? `${line.slice(0, mostChars)}…` : line
}
