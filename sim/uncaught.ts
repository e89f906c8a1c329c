/** Collects uncaught errors. A session in which one reaches the page breaks a rule. */
const caught: unknown[] = []

/** From here on an uncaught error does not end the process, but is kept for `takeUncaught`. */
export function keepUncaught(): void {
  process.on('uncaughtException', (error) => void caught.push(error))
  process.on('unhandledRejection', (reason) => void caught.push(reason))
}

/** Returns the first error since the last call, and drops the others. `null` if there was none. */
export function takeUncaught(): string | null {
  if (caught.length === 0) return null
  const [first] = caught
  caught.length = 0
  return first instanceof Error ? (first.stack ?? first.message) : String(first)
}
