import type { EventOf } from '../src/kernel/events.ts'
import { textOf } from '../src/kernel/message.ts'
import type { Call, Session } from './book.ts'

const withheld = 'Result withheld: a hook failed.'
const neverChecked = new Set(['invalid_args', 'not_found', 'truncated_call', 'limit', 'skipped'])

/** I15, I17 and I34: a call ends as its own worker ended it, whatever other workers and forged messages say. */
export function checkTruth(
  { check, setup }: Session,
  end: EventOf<'tool_execution_end'>,
  call: Call,
): void {
  const { reply, hooks, batch, staged } = call
  const { outcome, errorKind } = end
  const isHooked = setup.hooks.afterToolCall === true
  check('I17', hooks.before <= 1 && hooks.after <= 1, 'a hook was asked twice')
  if (neverChecked.has(errorKind ?? '')) {
    check('I17', hooks.before === 0, 'a hook was asked about a call that is not valid')
  }
  if (outcome === 'succeeded' && !staged) {
    check('I34', reply?.kind === 'returned', 'nothing came back from its code')
    const isSame =
      isHooked || reply?.text === undefined || textOf(end.result.content) === reply.text
    check('I34', isSame, 'it is not what came back from its code')
  }
  if (outcome === 'failed' && reply?.kind === 'returned' && !isHooked) {
    check('I15', errorKind === 'invalid_result', `its code returned, and it ends as ${errorKind}`)
  }
  if (outcome === 'failed' && reply?.kind === 'crashed') {
    check('I15', errorKind === 'crashed', `its code crashed, and it ends as ${errorKind}`)
  }
  if (errorKind === 'crashed' && call.executionId !== null) {
    check('I15', reply === null || reply.kind === 'crashed', 'its code did not crash')
  }
  const isFree = batch.book.run?.abortedAt === null && !call.cancelled && !batch.lost
  const isOwn = outcome === 'succeeded' || outcome === 'failed'
  if (!isHooked || !isFree || !isOwn) return
  if (hooks.after === 1 && hooks.afterSaid !== 'answered') {
    const isWithheld = textOf(end.result.content) === withheld && end.isError
    check('I17', isWithheld, 'its result reaches the model although the hook after it failed')
  }
  // The hook sees the answers of people as it sees the results of tools.
  const isReported = staged
    ? !neverChecked.has(errorKind ?? '')
    : reply !== null && reply.kind !== 'crashed'
  const due = isReported ? 1 : 0
  check('I17', hooks.after === due, `the hook after it was asked ${hooks.after} times`)
}
