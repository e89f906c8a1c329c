import type { EventOf } from '../src/kernel/events.ts'
import type { Call, Session } from './book.ts'
import { isSame } from './messages.ts'

/** A call asks people whether it may run: after its start, before it is prepared. */
export function askApproval(
  { check, digests }: Session,
  event: EventOf<'tool_approval_requested'>,
  call: Call,
): void {
  check('I17', call.stage === 'started', `approval is asked while it is ${call.stage}`)
  const { approval } = call
  check('I17', !approval?.answer, 'it was decided before')
  if (approval) {
    check('I17', approval.request.argsDigest === event.argsDigest, 'it asks for something else now')
  }
  const args = JSON.stringify(event.args)
  const known = digests.get(event.argsDigest)
  check('I17', known === undefined || known === args, 'two arguments have one digest')
  digests.set(event.argsDigest, args)
  if (call.unit) call.unit.gathering = false
  call.approval = { request: event, answer: null }
}

/** An answer counts only for the arguments that were shown. */
export function resolveApproval(
  { check }: Session,
  event: EventOf<'tool_approval_resolved'>,
  { approval }: Call,
): void {
  check('I17', approval !== null, 'no approval was requested')
  if (!approval) return
  check('I17', approval.answer === null, 'it was decided before')
  check('I17', approval.request.argsDigest === event.argsDigest, 'it answers for other arguments')
  check(
    'I17',
    (event.decision === 'edit') === (event.args !== undefined),
    'only an edit has arguments',
  )
  approval.answer = event
}

/** The tool gets exactly what was approved. */
export function checkPrepared(
  { check }: Session,
  event: EventOf<'tool_prepared'>,
  { approval }: Call,
): void {
  if (!approval) return
  const { request, answer } = approval
  check('I17', answer !== null, 'it still awaits approval')
  if (!answer) return
  check('I17', answer.decision !== 'deny', 'it was denied')
  const approved = answer.decision === 'edit' ? answer.args : request.args
  check('I17', isSame(event.effectiveArgs, approved), 'other arguments were approved')
}
