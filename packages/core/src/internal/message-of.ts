/** What a thrown value says, whatever it is. */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message || thrown.name : String(thrown)
  } catch {
    return 'a value that cannot be shown was thrown'
  }
}
