/** Why something is told to stop that nobody waits for any more. One for all: making one costs a stack. */
export const abandoned: DOMException = /* @__PURE__ */ new DOMException(
  'Nobody waits for it any more.',
  'AbortError',
)

/** Why something is told to stop that was waited for in vain. */
export const waitedTooLong: DOMException = /* @__PURE__ */ new DOMException(
  'Nothing was heard of it for too long.',
  'TimeoutError',
)

/**
 * The promise's own outcome, or a rejection with `signal.reason` if that comes first. What the promise does
 * afterwards is ignored.
 */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    // Handled in any case: a rejection after the abort is nobody's.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
