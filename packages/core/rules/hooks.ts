import { bookOf, type HookAnswer, isLive, type Session } from './book.ts'

/**
 * A hook is asked; then it lets pass or changes something (`answered`), blocks (`blocked`), or throws (`failed`). A
 * hook that hangs is asked and nothing more.
 */
export interface Hooked {
  readonly name: 'onUserPromptSubmit' | 'beforeToolCall' | 'afterToolCall'
  readonly phase: 'asked' | HookAnswer
  readonly toolCallId?: string
  readonly agentId?: string
  /** The hook was asked before an abort that is in the log by now. */
  readonly isInTime?: boolean
}

/** I17, I20 and I27: whether a hook may be asked, and what it said. */
export function seeHook(session: Session, hooked: Hooked): void {
  const { name, phase, toolCallId, agentId, isInTime = false } = hooked
  const { check, calls, setup } = session
  session.watched = true
  if (name === 'onUserPromptSubmit') {
    const { run } = bookOf(session, agentId ?? '')
    if (run && phase !== 'asked') run.promptSaid = phase
    // The run may have ended by now; then it is not checked.
    if (!run || phase !== 'asked') return
    const isDue = run.start.trigger === 'prompt' && run.turns === 0
    check('I27', isDue || run.abortedAt !== null, 'the prompt hook runs for no prompt')
    run.promptHooks += 1
    return
  }
  const call = calls.get(toolCallId ?? '')
  if (!call) return
  if (phase !== 'asked') {
    // A hook that was asked about an earlier attempt may answer when the call has been retried.
    if (name === 'afterToolCall' && call.hooks.after > 0) call.hooks.afterSaid = phase
    if (name === 'beforeToolCall' && call.hooks.before > 0) call.hooks.beforeSaid = phase
    return
  }
  const isAbort = call.batch.book.run?.abortedAt !== null
  check('I20', !isAbort || isInTime || setup.isReentrant, `${name} is asked after the abort`)
  if (name === 'beforeToolCall') {
    call.hooks.before += 1
    const wasStopped = isAbort && isInTime && call.end?.outcome === 'cancelled'
    const isDue = call.stage === 'started' || wasStopped
    check('I17', isDue && call.hooks.before === 1, `${name} is asked again`)
  } else {
    call.hooks.after += 1
    check(
      'I17',
      (isLive(call) || call.staged) && call.hooks.after === 1,
      `${name} is asked while it is ${call.stage}`,
    )
  }
}
