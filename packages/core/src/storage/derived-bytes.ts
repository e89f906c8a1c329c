/** Keys of bytes that are made of the events, and can be made again. A copy of a session does without them. */
const prefix = 'offthread:'

export function isDerived(key: string): boolean {
  return key.startsWith(prefix)
}
