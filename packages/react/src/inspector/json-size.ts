const mostChars = 10_000
const mostValues = 2000

const encoder = new TextEncoder()

/**
 * The bytes of a value as JSON. A text of more than 10,000 characters, and a value with more than 2,000 values in it,
 * are measured at their start, and the rest is estimated from that: an event may have megabytes, and many events are
 * measured in one task. `json` writes the value.
 */
export function jsonSize(value: unknown, json: () => string): number {
  return isLarge(value) ? aboutSize(value) : encoder.encode(json()).length
}

function isLarge(value: unknown): boolean {
  let [chars, values] = [0, 0]
  const isTooMuch = (part: unknown): boolean => {
    values += 1
    if (typeof part === 'string') chars += part.length
    if (chars > mostChars || values > mostValues) return true
    if (typeof part !== 'object' || part === null) return false
    for (const name of Object.keys(part)) {
      chars += name.length
      if (isTooMuch(Reflect.get(part, name))) return true
    }
    return false
  }
  return isTooMuch(value)
}

function aboutSize(value: unknown): number {
  let left = mostValues

  function sizeOf(part: unknown): number {
    left -= 1
    if (typeof part === 'string') return sizeOfText(part)
    if (typeof part !== 'object' || part === null) return String(JSON.stringify(part)).length
    if (Array.isArray(part)) return sizeOfAll(part, sizeOf)
    return sizeOfAll(Object.entries(part), ([name, field]) => sizeOfField(name, field))
  }

  function sizeOfField(name: string, field: unknown): number {
    // JSON leaves an `undefined` field out, with its comma.
    return field === undefined ? -1 : sizeOfText(name) + 1 + sizeOf(field)
  }

  function sizeOfAll<Item>(items: readonly Item[], size: (item: Item) => number): number {
    let [seen, sum] = [0, 0]
    for (const item of items) {
      if (left <= 0) break
      sum += size(item) + 1
      seen += 1
    }
    const all = seen === 0 ? 0 : Math.round((sum / seen) * items.length)
    return 2 + Math.max(0, all - 1)
  }

  return sizeOf(value)
}

function sizeOfText(text: string): number {
  const start = text.slice(0, mostChars)
  const bytes = encoder.encode(JSON.stringify(start)).length
  return start === text ? bytes : Math.round((bytes / mostChars) * text.length)
}
