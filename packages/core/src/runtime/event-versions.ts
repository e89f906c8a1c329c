import { isObject } from '../internal/json.ts'

/** Converts an event of one version to the next, and does not change its argument. */
export type Lift = (event: EventFields) => EventFields
type EventFields = { readonly [name: string]: unknown }

/**
 * The conversions for events of older versions, the first for version 1. A release that changes the meaning of stored
 * events adds one, and raises the `v` that is written. There has been no such change yet.
 */
export const lifts: readonly Lift[] = []

/** An event in the form of this version; `newer` if it comes from a later one, `null` if it is no event of any. */
export function lifted(value: unknown, all: readonly Lift[] = lifts): EventFields | 'newer' | null {
  if (!isObject(value) || !Number.isSafeInteger(value['v'])) return null
  const version = Number(value['v'])
  const current = all.length + 1
  if (version > current) return 'newer'
  if (version < 1) return null
  // Nearly all events have the current version.
  if (version === current) return value
  return all
    .slice(version - 1)
    .reduce((event, lift, at) => ({ ...lift(event), v: version + at + 1 }), value)
}
