/** The start of the keys of bytes that are computed from the events. A copy of a session leaves such bytes out. */
const prefix = 'offthread:'

/** Whether the bytes under this key can be made again, so that a storage does not count them and may remove them. */
export function isDerived(key: string): boolean {
  return key.startsWith(prefix)
}
