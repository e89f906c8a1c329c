import type { AgentEvent, EventOf } from '../kernel/events.ts'
import { measured } from './measured.ts'
import type { Rows } from './rows.ts'
import type { PhaseKind } from './timeline-row.ts'

/** Notes what events say of calls. */
export function createCallNotes(rows: Rows): (event: AgentEvent) => void {
  /** The calls that the page answers. */
  const ofPage = new Set<string>()
  /** The last answer of each run. */
  const answers = new Map<string | null, string>()
  /** How many phases a call had before it was last retried. */
  const before = new Map<string, number>()

  function accept(event: EventOf<'tool_execution_start'>): void {
    const { toolCallId: id, label, runId, place } = event
    if (place === 'client') ofPage.add(id)
    const row = rows.get('call', id)
    if (row) rows.set({ ...row, label })
    // Nothing was heard of its input.
    else rows.start({ kind: 'call', id, parentId: answers.get(runId) ?? runId, label }, 'waiting')
  }

  function retry(toolCallId: string): void {
    const row = rows.get('call', toolCallId)
    const last = row?.phases.at(-1)
    if (!row || !last || row.end === null) return
    const own = row.phases.slice(before.get(toolCallId) ?? 0)
    const wasDispatched = own.some(({ kind }) => kind === 'starting')
    before.set(toolCallId, row.phases.length)
    const open = { ...row, end: null }
    rows.set(open)
    rows.enter(open, 'waiting', last.attempt + (wasDispatched ? 1 : 0))
  }

  return (event) => {
    if (event.type === 'message_start' && event.message.role === 'assistant') {
      answers.set(event.runId, event.message.id)
    }
    if (!('toolCallId' in event) || event.toolCallId === undefined) return
    const { toolCallId } = event
    if (event.type === 'tool_retry_requested') retry(toolCallId)
    if (event.type === 'tool_execution_start') accept(event)
    const row = rows.get('call', toolCallId)
    const phase = phaseOf(event, ofPage.has(toolCallId))
    if (phase) rows.enter(row, phase, 'attempt' in event ? event.attempt : undefined)
    if (event.type !== 'tool_execution_end') return
    rows.close(row, event.outcome)
    rows.correct(toolCallId, (phases) => {
      const own = before.get(toolCallId) ?? 0
      return [...phases.slice(0, own), ...measured(phases.slice(own), event.timing)]
    })
  }
}

/** What a call does after an event. */
function phaseOf({ type }: AgentEvent, isOfPage: boolean): PhaseKind | undefined {
  switch (type) {
    case 'tool_execution_start':
    case 'tool_approval_resolved':
    case 'tool_result_staged':
      return 'waiting'
    case 'tool_approval_requested':
      return 'approval'
    case 'tool_prepared':
      return isOfPage ? 'answer' : 'waiting'
    case 'tool_dispatched':
      return 'starting'
    case 'tool_running':
      return 'running'
    case 'auto_retry_start':
      return 'pausing'
    case 'tool_cancel_requested':
      return 'cancelling'
    default:
      return undefined
  }
}
