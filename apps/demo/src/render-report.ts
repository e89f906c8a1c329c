type Rendered = 'message' | 'card'

let counts: Map<string, number> | null = null

/** Counts renders from now on, under `?dev` and in tests: `message:ID` and `card:ID`. */
export function countRenders(): ReadonlyMap<string, number> {
  counts = new Map()
  return counts
}

/** Says that a message or a card was rendered. Does nothing unless somebody counts. */
export function reportRender(what: Rendered, id: string): void {
  if (!counts) return
  const key = `${what}:${id}`
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
