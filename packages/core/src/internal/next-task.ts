// Taken when the module is loaded, before a test may have put fake timers in its place.
const { setTimeout: later } = globalThis

/**
 * Resolves in a task of its own, after all promises that are settled already. Browsers delay timers that are set often,
 * but not messages, so it posts one.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    // Without channels, as in Jest's jsdom, a timer has to do.
    if (typeof MessageChannel === 'undefined') return void later(resolve)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      port2.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
