/** Reports an error as an uncaught one of the page: seen by `window.onerror` and the console, harmless to its caller. */
export function reportLater(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
