/** `1 row`, `2 rows`, `1,000 rows`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** `a, b and c`, cut to the first `most`. */
export function listed(names: readonly string[], most = 20): string {
  const shown = names.slice(0, most)
  const rest = names.length - shown.length
  if (rest > 0) return `${shown.join(', ')} and ${rest.toLocaleString('en')} more`
  if (shown.length < 2) return shown.join('')
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}
