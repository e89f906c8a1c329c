/** What nobody caught since the last look. A session in which something is thrown at the page breaks a rule. */
const caught: unknown[] = []

/** From here on what nobody catches ends no process, but is kept for `takeUncaught`. */
export function keepUncaught(): void {
  process.on('uncaughtException', (error) => void caught.push(error))
  process.on('unhandledRejection', (reason) => void caught.push(reason))
}

/** What was thrown first, and forgets the rest. `null` for nothing. */
export function takeUncaught(): string | null {
  if (caught.length === 0) return null
  const [first] = caught
  caught.length = 0
  return first instanceof Error ? (first.stack ?? first.message) : String(first)
}
