import { nextTask } from './next-task.ts'

/** Milliseconds of work in a row: with one long step more, the page is still held for less than 50. */
const mostMs = 10

let since = 0

/**
 * Lets the page run other tasks, if work in small steps has held it for too long; `undefined` if it need not wait. All
 * work in small steps shares one limit of time.
 */
export function yieldToPage(): Promise<void> | undefined {
  if (performance.now() - since < mostMs) return undefined
  return nextTask().then(() => {
    since = performance.now()
  })
}
