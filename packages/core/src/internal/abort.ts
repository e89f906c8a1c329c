/** The abort reason for work whose result is not needed any more. Shared, since each new error costs a stack trace. */
export const abandoned: DOMException = /* @__PURE__ */ new DOMException(
  'Its result is not needed any more.',
  'AbortError',
)

/** The abort reason for work that took too long. */
export const waitedTooLong: DOMException = /* @__PURE__ */ new DOMException(
  'It took too long.',
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
    // The outcome is handled in any case: a rejection after the abort has no other handler.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
