import { McpServerError, outOfRules } from './mcp-server-error.ts'

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | undefined
}

/** A whole list. */
export interface Pages<Item> {
  readonly items: readonly Item[]
  /** The list as text, as the server wrote it. Lists with equal texts are equal. */
  readonly written: string
}

const maxPages = 100
const maxItems = 10_000
/** Characters of a whole list. */
const maxChars = 16 * 1024 * 1024

/** Reads all pages of a list. Throws a `McpServerError` for a list that does not end, and for one that is too large. */
export async function allPages<Item>(
  pageAt: (at: { readonly cursor?: string }) => Promise<Page<Item>>,
): Promise<Pages<Item>> {
  const items: Item[] = []
  let written = ''
  let next: string | undefined
  for (let count = 0; count < maxPages; count += 1) {
    const page = await pageAt(next === undefined ? {} : { cursor: next })
    if (items.length + page.items.length > maxItems) throw tooLarge()
    items.push(...page.items)
    written += textOf(page.items)
    if (written.length > maxChars) throw tooLarge()
    if (page.next === undefined) return { items, written }
    next = page.next
  }
  throw outOfRules('one of its lists does not end')
}

/**
 * Throws for a list that cannot be written as JSON, because a transport of the app passed on something nested too
 * deeply.
 */
function textOf(items: readonly unknown[]): string {
  try {
    return JSON.stringify(items)
  } catch {
    throw tooLarge()
  }
}

function tooLarge(): McpServerError {
  return new McpServerError(
    'too_large',
    'One of the lists of the MCP server has more than 10,000 entries or 16 MB, or is nested too deeply. Ask for a server with shorter lists.',
  )
}
