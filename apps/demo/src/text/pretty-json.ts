const longest = 100_000

/** JSON with line breaks. Large data (`size` characters or so) goes without them, which takes much less time. */
export function prettyJson(value: unknown, size: number): string {
  return JSON.stringify(value, null, size > longest ? 0 : 2)
}
