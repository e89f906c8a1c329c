import type { AgentEvent, EventOf } from '../kernel/events.ts'
import { measured } from './measured.ts'
import type { Rows } from './rows.ts'
import type { PhaseKind, TimelineRow } from './timeline-row.ts'

/** Notes what events tell about calls. */
export function createCallNotes(rows: Rows): (event: AgentEvent) => void {
  /** The calls that the page answers. */
  const ofPage = new Set<string>()
  /** The last answer of each run. */
  const answers = new Map<string | null, string>()
  /** The run in which a call has its last row. */
  const runs = new Map<string, string | null>()
  /** How many phases the row of a call had before it was last retried. */
  const before = new Map<string, number>()

  function accept(event: EventOf<'tool_execution_start'>): void {
    const { toolCallId: id, label, runId, place } = event
    if (place === 'client') ofPage.add(id)
    if (!runs.has(id)) runs.set(id, runId)
    const row = rows.get('call', id)
    if (row) rows.set({ ...row, label, place })
    // The input of the call did not stream, so there is no row yet.
    else {
      const parentId = answers.get(runId) ?? runId
      rows.start({ kind: 'call', id, parentId, label, place }, 'waiting')
    }
  }

  function retry({ toolCallId, runId }: EventOf<'tool_retry_requested'>): void {
    const row = rows.get('call', toolCallId)
    const last = row?.phases.at(-1)
    if (!row || !last || row.end === null) return
    const own = row.phases.slice(before.get(toolCallId) ?? 0)
    const wasDispatched = own.some(({ kind }) => kind === 'starting')
    const attempt = last.attempt + (wasDispatched ? 1 : 0)
    const isSameRun = runs.get(toolCallId) === runId
    runs.set(toolCallId, runId)
    before.set(toolCallId, isSameRun ? row.phases.length : 0)
    if (isSameRun) rows.set({ ...row, end: null })
    else rows.restart(row)
    rows.enter(rows.get('call', toolCallId), 'waiting', attempt)
  }

  return (event) => {
    if (event.type === 'message_start' && event.message.role === 'assistant') {
      answers.set(event.runId, event.message.id)
    }
    if (!('toolCallId' in event) || event.toolCallId === undefined) return
    const { toolCallId } = event
    if (event.type === 'tool_retry_requested') retry(event)
    if (event.type === 'tool_execution_start') accept(event)
    const row = rows.get('call', toolCallId)
    const phase = phaseOf(event, ofPage.has(toolCallId))
    // No code of the call runs, and it may be long until a run writes its end, so the row is closed now.
    if (phase === 'cancelling' && !runsCode(row)) rows.close(row, null)
    else if (phase) rows.enter(row, phase, 'attempt' in event ? event.attempt : undefined)
    if (event.type !== 'tool_execution_end') return
    rows.close(row, event.outcome)
    rows.correct(toolCallId, (phases) => {
      const own = before.get(toolCallId) ?? 0
      return [...phases.slice(0, own), ...measured(phases.slice(own), event.timing)]
    })
  }
}

function runsCode(row: TimelineRow | undefined): boolean {
  const kind = row?.phases.at(-1)?.kind
  return kind === 'starting' || kind === 'running'
}

/** The phase that an event brings a call into. */
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
