/** The start of the keys of bytes that are computed from the events. A copy of a session leaves such bytes out. */
const prefix = 'offthread:'

export function isDerived(key: string): boolean {
  return key.startsWith(prefix)
}
