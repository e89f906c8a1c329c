/** What was thrown, in words. */
export function textOfError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
