const units = ['B', 'kB', 'MB', 'GB']

/** An amount of data for people: `312 B`, `2.1 kB`, `46 MB`. */
export function formatBytes(bytes: number): string {
  let [amount, unit] = [bytes, 0]
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000
    unit += 1
  }
  const digits = unit > 0 && amount < 9.95 ? 1 : 0
  return `${amount.toFixed(digits)} ${units[unit]}`
}
