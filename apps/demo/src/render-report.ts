let counts: Map<string, number> | null = null

/** Starts to count renders, by `message:ID` and `card:ID`. Used under `?dev` and in tests. */
export function countRenders(): ReadonlyMap<string, number> {
  counts = new Map()
  return counts
}

/** Counts a render of a message or a card, after `countRenders` was called. */
export function reportRender(what: 'message' | 'card', id: string): void {
  if (!counts) return
  const key = `${what}:${id}`
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
