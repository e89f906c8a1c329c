import { isObject } from '../internal/json.ts'

/** Milliseconds of an epoch that a date can have, before and after it. */
const longest = 8.64e15

export function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= longest
}

/**
 * When a stored event was written; 0 if the stored value does not say it, because a list shows damaged sessions, too.
 */
export function timeOf(event: unknown): number {
  const ts = isObject(event) ? event['ts'] : undefined
  return isTime(ts) ? ts : 0
}
