import type { Clock } from '../../internal/clock.ts'

/** Whether the page is hidden. */
export function isHidden(): boolean {
  return typeof document !== 'undefined' && document.hidden
}

/**
 * Calls back in a task of its own, after those that wait already, unless the returned function is called before. A hidden
 * page has its timers a second late, but not its messages.
 */
export function soon(clock: Clock, callback: () => void): () => void {
  const isPosted = isHidden() && 'MessageChannel' in globalThis
  return isPosted ? inNextTask(callback) : clock.setTimer(0, callback)
}

/** `nextTask` is among what loads first: one more reader of it would make that larger. */
function inNextTask(callback: () => void): () => void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    callback()
  }
  port2.postMessage(null)
  return () => port1.close()
}
