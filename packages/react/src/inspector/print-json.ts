/** How much of a value is written. */
interface PrintOptions {
  /** About the most characters. Default 20,000. */
  readonly most?: number
  /** Spaces for each level; 0 writes one line. Default 2. */
  readonly indent?: number
}

const mostOfText = 2000
const mostOfName = 200
const mostItems = 100
const mostDepth = 20

/** A value as JSON that a page can show: of a long text, a long list or a deep tree the first part, and how much is left. */
export function printJson(
  value: unknown,
  { most = 20_000, indent = 2 }: PrintOptions = {},
): string {
  let left = most
  const written = (text: string): string => {
    left -= text.length
    return text
  }

  function print(part: unknown, depth: number): string {
    if (typeof part === 'string') return written(printText(part, Math.min(mostOfText, left)))
    if (typeof part !== 'object' || part === null) return written(String(JSON.stringify(part)))
    if (depth > mostDepth || left <= 0) return '…'
    if (Array.isArray(part)) {
      return wrap(
        first(part, (item: unknown) => print(item, depth + 1)),
        '[]',
        depth,
      )
    }
    const fieldOf = (name: string): unknown => Reflect.get(part, name)
    // `JSON.stringify` writes no field that is `undefined`. To list 50,000 fields with their names would take a frame.
    const names = Object.keys(part).filter((name) => fieldOf(name) !== undefined)
    const fields = first(
      names,
      (name) =>
        `${written(printText(name, Math.min(mostOfName, left)))}: ${print(fieldOf(name), depth + 1)}`,
    )
    return wrap(fields, '{}', depth)
  }

  function first<Item>(items: readonly Item[], write: (item: Item) => string): readonly string[] {
    const lines: string[] = []
    for (const item of items.slice(0, mostItems)) {
      if (left <= 0) break
      lines.push(write(item))
    }
    const rest = items.length - lines.length
    if (rest > 0) lines.push(`… ${rest.toLocaleString('en')} more`)
    return lines
  }

  function wrap(lines: readonly string[], brackets: '[]' | '{}', depth: number): string {
    const [open, close] = brackets
    if (lines.length === 0) return brackets
    if (indent === 0) return `${open} ${lines.join(', ')} ${close}`
    const margin = `\n${' '.repeat(indent * depth)}`
    const inner = margin + ' '.repeat(indent)
    return open + inner + lines.join(`,${inner}`) + margin + close
  }

  return print(value, 0)
}

function printText(text: string, most: number): string {
  const rest = text.length - Math.max(0, most)
  if (rest <= 0) return JSON.stringify(text)
  const shown = JSON.stringify(text.slice(0, Math.max(0, most)))
  return `${shown} … ${rest.toLocaleString('en')} more characters`
}
