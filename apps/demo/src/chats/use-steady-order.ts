import { useState } from 'react'

/**
 * Items in the order in which they were first shown, and new ones before them. However their own order changes, no row
 * moves away from under a pointer.
 */
export function useSteadyOrder<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
): readonly Item[] {
  // It remembers only places. If React renders twice, they are the same.
  const [places] = useState(() => new Map<string, number>())
  for (const id of items.map(idOf).toReversed()) {
    if (!places.has(id)) places.set(id, -places.size)
  }
  const placeOf = (item: Item): number => places.get(idOf(item)) ?? 0
  return items.toSorted((one, next) => placeOf(one) - placeOf(next))
}
