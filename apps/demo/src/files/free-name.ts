/** The name, or the first of `a (2).csv`, `a (3).csv`, … that is not taken. */
export function toFreeName(name: string, taken: readonly string[]): string {
  // Of names that differ in case only, the tables would be one and the same.
  const used = new Set(taken.map((each) => each.toLowerCase()))
  const dot = name.lastIndexOf('.')
  const end = dot > 0 ? dot : name.length
  let free = name
  for (let number = 2; used.has(free.toLowerCase()); number += 1) {
    free = `${name.slice(0, end)} (${number})${name.slice(end)}`
  }
  return free
}
