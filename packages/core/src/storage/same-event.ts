import type { DurableEvent } from '../kernel/events.ts'

/** Whether two logs have the same event in one place. */
export function isSameEvent(one: DurableEvent, other: DurableEvent | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
