/** Makes a file's column names usable: trims them, numbers blank ones, and counts repeated ones. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return names.map((name, index) => {
    const wanted = name.trim() || `column_${index + 1}`
    let unique = wanted
    // SQLite ignores case in names.
    for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = `${wanted}_${count}`
    taken.add(unique.toLowerCase())
    return unique
  })
}
