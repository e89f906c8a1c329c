const pageRows = 10

/** The row that a key leads to, in a list of rows; `null` for another key. */
export function rowAfterKey(key: string, current: number, count: number): number | null {
  const asked = moved(key, current, count)
  return asked === null || count === 0 ? null : Math.min(Math.max(0, asked), count - 1)
}

function moved(key: string, current: number, count: number): number | null {
  switch (key) {
    case 'ArrowUp':
      return current - 1
    case 'ArrowDown':
      return current + 1
    case 'PageUp':
      return current - pageRows
    case 'PageDown':
      return current + pageRows
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
