import { cutEnd } from '../internal/cut-text.ts'
import { defined } from '../internal/defined.ts'
import { isList, isObject } from '../internal/json.ts'
import type { Budget } from '../internal/read-json.ts'
import type { Part } from '../kernel/message.ts'

/** Content as tools may write it: a string stands for one text. */
export type ContentInput = string | readonly Part[]

/** Reads one block. `mimeType` is what other tool formats call `mediaType`. */
function readPart(value: unknown): Part | undefined {
  if (!isObject(value)) return undefined
  const { type, text, data } = value
  const mediaType = toLine(value['mediaType'] ?? value['mimeType'])
  if (type === 'text' && typeof text === 'string') return { type, text }
  if (type === 'image' && typeof data === 'string' && mediaType !== undefined) {
    return { type, mediaType, data }
  }
  if (type === 'document' && typeof data === 'string') {
    const known = documentTypes.find((one) => one === mediaType)
    const name = toLine(value['name'])
    if (!known || (name === undefined && value['name'] !== undefined)) return undefined
    return { type, mediaType: known, data, ...defined({ name }) }
  }
  return undefined
}

const documentTypes = ['application/pdf', 'text/plain'] as const

/** The most parts, files or log lines of one call. */
export const maxItems = 1000

/** Reads a list of blocks; `undefined` when it is no list, or too long, or one of them is no block. */
export function readParts(value: unknown, budget?: Budget): readonly Part[] | undefined {
  return readItems(value, readPart, budget)
}

/** Reads a list item by item; `undefined` when it is no list, or over the limit, or `read` refuses an item. */
export function readItems<Item>(
  value: unknown,
  read: (item: unknown) => Item | undefined,
  budget: Budget = { left: 0 },
): readonly Item[] | undefined {
  if (!isList(value)) return undefined
  budget.left = maxItems - value.length
  // Checked before the list is walked, because a list with nothing in it can be of any length.
  if (budget.left < 0) return undefined
  const items: Item[] = []
  for (const one of value) {
    const item = read(one)
    if (item === undefined) return undefined
    items.push(item)
  }
  return items
}

/** Reads content. Throws a `TypeError` that says what content is. */
export function toParts(content: unknown): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  const parts = readParts(content)
  if (parts) return parts
  throw new TypeError(
    'content must be a string or a list of at most 1,000 { type: "text", text }, { type: "image", mediaType, data } and { type: "document", mediaType: "application/pdf" or "text/plain", data }.',
  )
}

/** Texts that are no content, such as a line of a log or the name of a file, are cut to this many characters. */
const maxLineChars = 2000

/** A text as one line, `undefined` for anything else. */
export function toLine(value: unknown): string | undefined {
  return typeof value === 'string' ? cutEnd(value, maxLineChars) : undefined
}
