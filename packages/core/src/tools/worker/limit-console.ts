/** The amount that may reach the platform's console in a second: 200 lines, or fewer long ones. */
const room = 1_000_000
const costOfLine = 5000
const costOfValue = 100

/**
 * Limits what a worker writes to the platform's console. Each line takes time of the page's own thread, also while no
 * developer looks: without a limit, a loop that logs holds the page, and a stop is not seen either.
 */
export function limitConsole(console: object, now: () => number): void {
  let since = now()
  let left = room
  for (const name of Object.keys(console)) {
    const original: unknown = Reflect.get(console, name)
    if (typeof original !== 'function') continue
    Reflect.set(console, name, (...values: unknown[]) => {
      if (name === 'assert' && values[0]) return
      if (now() - since >= 1000) {
        since = now()
        left = room
      }
      const cost = costOf(values)
      if (cost > left) return
      left -= cost
      Reflect.apply(original, console, values)
    })
  }
}

/** The platform converts a whole value to text, so each item of a list counts. */
function costOf(values: readonly unknown[]): number {
  const left: unknown[] = [values]
  let cost = costOfLine
  while (left.length > 0 && cost <= room) {
    const value = left.pop()
    const items: readonly unknown[] = Array.isArray(value) ? value : []
    cost += items.length * costOfValue + lengthOf(value)
    if (cost <= room) left.push(...items)
  }
  return cost
}

/** Functions and expressions are written as their source, other objects as the name of their class. */
function lengthOf(value: unknown): number {
  try {
    if (Array.isArray(value)) return 0
    if (typeof value !== 'object' || value instanceof RegExp) return String(value).length
    if (value instanceof Error) return String(value).length + String(value.stack).length
    return value instanceof String || value instanceof Symbol
      ? String(value.valueOf()).length
      : Object.prototype.toString.call(value).length
  } catch {
    return room
  }
}
