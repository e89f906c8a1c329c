// Words that SQLite accepts as a table's name only in quotes.
const reserved = new Set(
  `add all alter and as autoincrement between case check collate commit constraint create default
  deferrable delete distinct drop else escape except exists foreign from group having in index insert
  intersect into is isnull join limit not notnull null on or order primary references returning select
  set table then to transaction union unique update using values when where`.split(/\s+/),
)

/** Makes a table name that needs no quotes from a file's name: `sales 2024.csv` becomes `sales_2024`. */
export function toTableName(fileName: string): string {
  const stem = fileName.replace(/^.*[/\\]/, '').replace(/(?!^)\.[a-z0-9]{1,8}$/i, '')
  const plain = stem.replace(/[^\p{L}\p{N}_]+/gu, '_').replace(/^_+|_+$/g, '')
  if (plain === '') return 'data'
  if (reserved.has(plain.toLowerCase())) return `${plain}_table`
  return /^(\p{N}|sqlite_)/iu.test(plain) ? `t_${plain}` : plain
}

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

/** A name of a table or a column in SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
