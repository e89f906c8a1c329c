import type { ToolProgress } from '@offthread/core'

// One formatter for all: creating one is slow, and progress is formatted many times a second.
const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 6 })

const bytesInUnit = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
] as const

/** Bytes for people: `17.6 KB`. */
export function formatBytes(bytes: number): string {
  for (const [unit, size] of bytesInUnit) {
    if (bytes >= size) return `${(bytes / size).toFixed(1)} ${unit}`
  }
  return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
}

/** `1,234,567`, or `20 million` for round millions and more. */
export function formatCount(count: number): string {
  const millions = count / 1e6
  if (millions >= 1 && Number.isInteger(millions)) {
    return millions % 1000 === 0
      ? `${numbers.format(millions / 1000)} billion`
      : `${numbers.format(millions)} million`
  }
  return numbers.format(count)
}

/** `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${numbers.format(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** `3 rows`, `3 of 10 rows`, `1.2 MB of 3.4 MB`. */
export function formatAmount(
  value: number,
  { total, unit }: Pick<ToolProgress, 'total' | 'unit'>,
): string {
  const format = unit === 'bytes' ? formatBytes : formatCount
  const amount = total === undefined ? format(value) : `${format(value)} of ${format(total)}`
  return unit === undefined || unit === 'bytes' ? amount : `${amount} ${unit}`
}

// The British one has no comma before its last word.
const lists = new Intl.ListFormat('en-GB')

/** `a, b and c`, cut to the first `most`. */
export function listed(names: readonly string[], most = 20): string {
  const rest = names.length - most
  const more = rest > 0 ? [`${numbers.format(rest)} more`] : []
  return lists.format([...names.slice(0, most), ...more])
}
