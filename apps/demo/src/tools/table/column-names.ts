/** Names as the file has them, made usable: trimmed, blank ones numbered, repeated ones counted. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return names.map((name, index) => {
    const wanted = name.trim() || `column_${index + 1}`
    let unique = wanted
    // SQLite does not tell "a" from "A".
    for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = `${wanted}_${count}`
    taken.add(unique.toLowerCase())
    return unique
  })
}
