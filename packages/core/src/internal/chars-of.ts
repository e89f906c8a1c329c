import { readJson } from './read-json.ts'

/** The most characters of JSON text that are copied in one task to a storage or to other pages, but for one event. */
export const maxCopied = 250_000

/** About how many characters a value has as JSON text. Counting ends a little beyond `maxCopied`. */
export function charsOf(value: unknown): number {
  const budget = { left: maxCopied }
  readJson(value, budget)
  return maxCopied - budget.left
}
