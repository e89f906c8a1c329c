import type { EventOf } from '../src/kernel/events.ts'
import type { Part } from '../src/kernel/message.ts'
import type { ToolMessage } from '../src/kernel/tool-outcome.ts'
import type { Batch, Book, Call, Session } from './book.ts'
import { isSame } from './messages.ts'

/** I12, I19 and I24: what the model is given of a batch. */
export function endBatch(session: Session, event: EventOf<'tools_end'>, book: Book): void {
  const { check } = session
  const { batch, run } = book
  check('I12', batch !== null && batch.toolMessages === null, 'there is no open batch')
  if (!batch) return
  checkTurn(session, batch, book)
  const ids = batch.calls.map((call) => call.toolCallId).join()
  const idsOf = (list: readonly { readonly toolCallId: string }[]) =>
    list.map((one) => one.toolCallId).join()
  check('I12', batch.ended === batch.calls.length, 'not every call has ended')
  check('I12', event.toolCallIds.join() === ids, 'its ids are not in call order')
  check('I12', idsOf(event.toolMessages) === ids, 'its messages are not in call order')
  check('I12', idsOf(event.executionResults) === ids, 'its results are not in call order')
  for (const call of batch.calls) checkToolMessage(session, event, call)
  const saysTerminate = batch.calls.every(({ end }) => end?.result.terminate === true)
  check('I24', event.terminate === saysTerminate, 'terminate is not what the results say')
  batch.toolMessages = event.toolMessages
  if (run) run.terminate = saysTerminate
}

function checkTurn({ check }: Session, batch: Batch, { run }: Book): void {
  const isOwn = run?.runId === batch.runId && run.turns === batch.turn && !batch.carried
  const isLater = batch.carried && (run === null || run.turns === 0)
  check('I7', isOwn || isLater, 'it does not happen in the turn of its calls')
}

function checkToolMessage(
  { check, setup }: Session,
  event: EventOf<'tools_end'>,
  call: Call,
): void {
  const { end, index } = call
  const message = event.toolMessages[index]
  const result = event.executionResults[index]
  if (!end || !message || !result) return
  const { toolName, outcome, isError, errorKind, timing } = end
  check(
    'I12',
    message.toolName === toolName && message.isError === isError,
    'a message differs from its end',
  )
  const isEqual =
    result.toolName === toolName &&
    result.outcome === outcome &&
    result.isError === isError &&
    result.errorKind === errorKind &&
    isSame(result.timing, timing)
  check('I12', isEqual, 'a result differs from its end')
  const problem = problemOfText(message, end.result.content, setup.maxToolResultChars)
  check('I19', problem === null, problem ?? '')
  const isWhole = lengthOf(end.result.content) <= setup.maxToolResultChars
  // A redacted result may have been cut before.
  const isRight = end.result.redacted === true || isWhole === (end.truncatedForModel !== true)
  check('I19', isRight, 'the end says otherwise what was cut')
}

function problemOfText(
  { content }: ToolMessage,
  whole: readonly Part[],
  limit: number,
): string | null {
  if (lengthOf(whole) <= limit)
    return isSame(content, whole) ? null : 'a result that fits was changed'
  if (lengthOf(content) > limit)
    return `the model reads ${lengthOf(content)} of ${limit} characters`
  const [cut, full] = [textOf(content), textOf(whole)]
  if (!isWhole(cut) && isWhole(full)) return 'a surrogate pair was split'
  const kept = commonStart(cut, full) + commonEnd(cut, full)
  return kept >= limit - 100 ? null : `only ${kept} characters are left of it`
}

function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

function commonEnd(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.at(-1 - length) === b.at(-1 - length)) length += 1
  return length
}

function lengthOf(content: readonly Part[]): number {
  return content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
}

function textOf(content: readonly Part[]): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

// Half of a surrogate pair is not valid text.
function isWhole(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}
