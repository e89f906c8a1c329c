import type { AgentEvent, EventOf } from '../src/kernel/events.ts'
import type {
  AssistantMessage,
  Message,
  ToolCallContent,
  ToolResultMessage,
} from '../src/kernel/message.ts'
import { addDelta } from './add-delta.ts'
import type { Batch, Book, Call, HookRecord, Memory, OpenMessage, Session } from './book.ts'
import { deliver, updateQueues } from './queues.ts'

/** I4, I5, I12, I13, I26, and the parts of I20, I22, I29, I37, I38 that concern messages. */
export interface MessageRules {
  readonly see: (event: AgentEvent, book: Book) => void
}

export function createMessageRules(session: Session): MessageRules {
  const { check } = session
  return {
    see: (event, book) => {
      switch (event.type) {
        case 'session_opened':
          for (const { open } of session.books.values()) if (open) open.torn = true
          break
        case 'message_start':
          startMessage(session, event.message, book)
          break
        case 'message_update': {
          const { open } = book
          check('I4', open?.message.id === event.messageId, 'no such message is open')
          check('I38', open?.torn !== true, 'an answer of an earlier opening continues')
          if (open)
            check('I5', addDelta(open.content, event.assistantMessageEvent), 'it fits no part')
          break
        }
        case 'message_checkpoint':
          check('I4', book.open?.message.id === event.messageId, 'no such message is open')
          break
        case 'message_end':
          endMessage(session, event, book)
          break
        case 'queue_update':
          updateQueues(session, event, book)
          break
        case 'compaction_end':
          if (event.result) summarise(session, event.result, book)
          break
        case 'head_moved':
          moveHead(session, event, book)
          break
        case 'agent_end': {
          const { departed } = book.steering
          const missing = departed.length + book.followUp.departed.length
          check('I26', missing === 0, `${missing} queued messages are lost`)
          break
        }
        default:
      }
    },
  }
}

function startMessage({ check, messageIds }: Session, message: Message, book: Book): void {
  const { open, run, batch } = book
  check('I4', open === null, `the message ${open?.message.id} is open`)
  check('I4', !messageIds.has(message.id), `the id ${message.id} is used twice`)
  check('I37', message.parentId === book.head, `its parent is not the head ${book.head}`)
  messageIds.add(message.id)
  book.open = { message, content: [], torn: false }
  if (message.role === 'toolResult') return
  check('I13', batch === null, 'calls of the answer before have no result')
  if (message.role === 'system') return
  check('I3', run !== null && run.turn !== null, 'there is no open turn')
  check('I3', !run?.turn?.answer, 'the turn has its answer')
  if (message.role === 'user' || !run) return
  check('I4', message.content.length === 0, 'an answer begins empty')
  check('I20', run.abortedAt === null, 'the model was asked after the abort')
  check('I38', !run.lost, 'the model was asked in a run of an earlier boot')
  const { maxTurns } = run.start
  check(
    'I22',
    maxTurns === null || run.counted <= maxTurns,
    `request ${run.counted} of ${maxTurns}`,
  )
}

function endMessage(session: Session, event: EventOf<'message_end'>, book: Book): void {
  const { check } = session
  const { message } = event
  const { open } = book
  const isOpen = open?.message.id === message.id && open.message.role === message.role
  check('I4', isOpen, 'no such message is open')
  book.open = null
  book.head = message.id
  book.nodes.set(message.id, { message, excluded: event.excluded === true })
  if (message.role === 'assistant') {
    endAnswer(session, { event, message, open }, book)
    return
  }
  check('I4', !open || isSame(open.message, message), 'it began as another message')
  check('I37', event.excluded !== true, 'only answers are excluded')
  if (message.role === 'toolResult') endResult(session, message, book)
  if (message.role === 'user') deliver(session, message, book)
}

interface Ended {
  readonly event: EventOf<'message_end'>
  readonly message: AssistantMessage
  readonly open: OpenMessage | null
}

function endAnswer(session: Session, ended: Ended, book: Book): void {
  const { check } = session
  const { event, message, open } = ended
  const { run } = book
  const { stopReason } = message
  check('I4', stopReason !== undefined, 'it has no stop reason')
  if (message.usage) run?.turn?.usages.push(message.usage)
  if (run) run.refused = stopReason === 'refusal'
  if (event.excluded) return
  check('I37', stopReason !== 'error' && stopReason !== 'refusal', 'a failed answer is kept')
  check('I29', !open?.torn || run?.abortedAt !== null, 'an answer that was torn is kept')
  if (open && !open.torn) checkDeltas(session, message, open)
  if (run?.turn) run.turn.answer = message
  if (run) {
    run.answer = message
    run.terminate = false
  }
  openBatch(session, message, book)
}

function checkDeltas(
  { check, setup }: Session,
  message: AssistantMessage,
  { content }: OpenMessage,
): void {
  if (!setup.hasDeltas) return
  if (message.stopReason !== 'aborted') {
    check('I5', isSame(content, message.content), 'its deltas make another content')
    return
  }
  const textOf = (parts: AssistantMessage['content']) =>
    parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const text = textOf(message.content)
  const isText = message.content.every((part) => part.type === 'text')
  check('I37', isText && text.trim() !== '', 'a stopped answer keeps its text and nothing else')
  // A text of nothing but white space is left out, because no provider accepts it.
  const inked = content.filter((part) => part.type === 'text' && part.text.trim() !== '')
  check('I5', textOf(inked).startsWith(text), 'its deltas make another text')
}

function openBatch({ check, calls, memory }: Session, message: AssistantMessage, book: Book): void {
  const contents = message.content.filter((part) => part.type === 'toolCall')
  if (contents.length === 0) return
  const own: Call[] = []
  const batch: Batch = {
    book,
    runId: book.run?.runId ?? '',
    turn: book.run?.turns ?? 0,
    strategy: book.run?.start.toolExecution ?? 'parallel',
    message,
    calls: own,
    units: [],
    started: 0,
    ended: 0,
    carried: false,
    lost: false,
    toolMessages: null,
    delivered: 0,
  }
  for (const content of contents) {
    const call = announced(batch, content, memory)
    check('I7', !calls.has(call.toolCallId), `the call id ${call.toolCallId} is used twice`)
    calls.set(call.toolCallId, call)
    own.push(call)
  }
  book.batch = batch
}

function announced(batch: Batch, content: ToolCallContent, memory: Memory): Call {
  return {
    batch,
    toolCallId: content.toolCallId,
    toolName: content.toolName,
    index: batch.calls.length,
    stage: 'announced',
    unit: null,
    place: 'worker',
    dispatches: 0,
    retriedAfter: null,
    executionId: null,
    runningAt: null,
    retrying: false,
    cancelled: false,
    lost: false,
    wasCut: false,
    fate: null,
    staged: false,
    approval: null,
    reply: null,
    partial: null,
    logs: { lines: [], dropped: 0 },
    hooks: hooksOf(memory, content.toolCallId),
    end: null,
  }
}

function hooksOf({ hooks }: Memory, toolCallId: string): HookRecord {
  const known = hooks.get(toolCallId)
  if (known) return known
  const record = { before: 0, after: 0, beforeSaid: null, afterSaid: null }
  hooks.set(toolCallId, record)
  return record
}

function endResult({ check }: Session, message: ToolResultMessage, book: Book): void {
  const { batch } = book
  const due = batch?.toolMessages?.[batch.delivered]
  const { toolCallId, toolName, content, isError } = message
  check(
    'I12',
    isSame(due, { toolCallId, toolName, content, isError }),
    'it is not what tools_end said',
  )
  if (!batch) return
  if (batch.delivered === 0) book.versions.set(message.id, endsOf(batch))
  batch.delivered += 1
  if (batch.delivered >= batch.calls.length) book.batch = null
}

function endsOf({ calls }: Batch): ReadonlyMap<string, EventOf<'tool_execution_end'>> {
  return new Map(calls.flatMap(({ toolCallId, end }) => (end ? [[toolCallId, end]] : [])))
}

type Summary = NonNullable<EventOf<'compaction_end'>['result']>

function summarise({ check }: Session, result: Summary, book: Book): void {
  const kept = book.nodes.get(result.firstKeptMessageId)?.message
  check('I37', kept !== undefined, `there is no message ${result.firstKeptMessageId}`)
  check('I28', kept?.role !== 'toolResult', 'the history is cut between a call and its result')
  book.compactions.push(result)
}

function moveHead(session: Session, event: EventOf<'head_moved'>, book: Book): void {
  const { check } = session
  check('I37', book.run === null, 'the head moved during a run')
  check('I7', book.batch === null, 'calls have no result')
  const target = event.messageId
  book.left = endsAfter(target, book)
  check('I37', target === null || book.nodes.has(target), `there is no message ${target}`)
  book.head = target
}

/** How the calls of an answer had ended on the path to the head. */
function endsAfter(answerId: string | null, { head, nodes, versions, left }: Book): Book['left'] {
  if (head === answerId) return left
  for (let id = head; id !== null; ) {
    const parentId: string | null = nodes.get(id)?.message.parentId ?? null
    if (parentId === answerId) return versions.get(id) ?? null
    id = parentId
  }
  return null
}

/** Whether two values have the same content. The order of the fields counts. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
