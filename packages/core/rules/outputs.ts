import type { AgentEvent, EventOf } from '../src/kernel/events.ts'
import type { UserMessage } from '../src/kernel/message.ts'
import type { Book, Run, Session } from './book.ts'

/** O2 to O5, O9 and O11: a run that is asked for an output ends with one that fits, or says why it has none. */
export interface OutputRules {
  readonly see: (event: AgentEvent, book: Book) => void
}

export function createOutputRules(session: Session): OutputRules {
  return {
    see: (event, book) => {
      const { run } = book
      switch (event.type) {
        case 'agent_start':
          checkCarried(session, event, book)
          findAnswer(book)
          break
        case 'agent_end':
          noteMissing(event, book)
          break
        case 'message_end':
          if (event.message.role === 'user' && event.message.source === 'repair')
            seeRepair(session, event.message, run)
          break
        case 'output_checked':
          seeCheck(session, event, book)
          break
        default:
      }
    },
  }
}

/** Why a run with an output may not end as it does, or `null`. Call it before the run is closed. */
export function problemOfOutput(
  { reason, error }: EventOf<'agent_end'>,
  { start, answer, checked, repairs }: Run,
): { readonly rule: string; readonly why: string } | null {
  const { output } = start
  const isMisfit = error?.kind === 'invalid_output'
  if (!output) return isMisfit ? { rule: 'O5', why: 'no output was asked for' } : null
  const isFit = checked !== null && checked.problem === undefined
  if (reason === 'stop' && !(isFit && checked.messageId === answer?.id)) {
    return { rule: 'O1', why: 'its last answer was not found to fit' }
  }
  if (!isMisfit) return null
  const isOver = checked?.problem !== undefined && !checked.failed && repairs === output.maxRepairs
  return isOver ? null : { rule: 'O5', why: `after ${repairs} repairs of ${output.maxRepairs}` }
}

/** Whether the model is to be asked to mend its answer. */
export function isRepairDue({ start, checked, answer, repairs }: Run): boolean {
  const { output } = start
  if (!output || checked?.problem === undefined || checked.failed) return false
  return checked.messageId === answer?.id && repairs < output.maxRepairs
}

// `see` of the run rules has closed the run already.
function noteMissing({ reason }: EventOf<'agent_end'>, book: Book): void {
  const { outputOfRun } = book
  book.missing = outputOfRun && reason !== 'stop' ? { after: lastShown(book) } : null
}

function checkCarried({ check }: Session, event: EventOf<'agent_start'>, book: Book): void {
  const { missing } = book
  const goesOn = event.trigger === 'resume' || event.trigger === 'continue'
  const isThere = missing !== null && missing.after === lastShown(book)
  check('O10', !goesOn || !isThere || event.output !== undefined, 'its output is forgotten')
  book.outputOfRun = event.output !== undefined
}

function lastShown({ head, nodes }: Book): string | null {
  let id = head
  while (id !== null && nodes.get(id)?.message.role === 'toolResult') {
    id = nodes.get(id)?.message.parentId ?? null
  }
  return id
}

// A run that goes on may find a complete answer that only lacks its check.
function findAnswer({ run, batch, head, nodes }: Book): void {
  if (!run?.start.output || run.start.input || batch) return
  let node = head === null ? undefined : nodes.get(head)
  while (node?.excluded) node = nodes.get(node.message.parentId ?? '')
  const message = node?.message
  if (message?.role !== 'assistant') return
  const { stopReason = 'aborted' } = message
  const isWhole = !['aborted', 'max_tokens', 'context_overflow', 'pause_turn'].includes(stopReason)
  if (isWhole && message.content.every(({ type }) => type !== 'toolCall')) run.answer = message
}

function seeCheck({ check }: Session, event: EventOf<'output_checked'>, book: Book): void {
  const { run, steering, followUp } = book
  check('O3', run?.start.output !== undefined, 'no output was asked for')
  if (!run) return
  const { answer, checked } = run
  const hasCalls = answer?.content.some(({ type }) => type === 'toolCall') === true
  check('O3', answer?.id === event.messageId && !hasCalls, 'it is not the last answer')
  check('O3', checked?.messageId !== event.messageId, 'the answer was checked before')
  check('O3', run.turn === null, 'a turn is open')
  const queued = steering.waiting.length + followUp.waiting.length
  check('O3', queued === 0, `${queued} messages wait`)
  check('O9', run.abortedAt === null && !run.lost, 'it was checked after the stop')
  run.checked = event
}

function seeRepair({ check }: Session, { content }: UserMessage, run: Run | null): void {
  if (!run) return
  check('O4', isRepairDue(run), 'there is nothing to mend')
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const isRedacted = text === '[redacted]'
  check('O4', isRedacted || text.includes(run.checked?.problem ?? '?'), 'it does not say why')
  run.repairs += 1
}
