/**
 * Resolves in a task of its own, after everything that waits for no time. A message is one and, other than a
 * timer, is not held back when it is asked for often.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    // Jest's jsdom has no channels.
    if (typeof MessageChannel === 'undefined') return void setTimeout(resolve)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
