import { outOfRules } from './mcp-server-error.ts'

interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | undefined
}

const maxPages = 100
const maxItems = 10_000

/** All pages of a list. Throws a `McpServerError` for one that does not end. */
export async function allPages<Item>(
  pageAt: (at: { readonly cursor?: string }) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const all: Item[] = []
  let next: string | undefined
  for (let count = 0; count < maxPages; count += 1) {
    const page = await pageAt(next === undefined ? {} : { cursor: next })
    all.push(...page.items)
    if (all.length > maxItems) break
    if (page.next === undefined) return all
    next = page.next
  }
  throw outOfRules('one of its lists does not end')
}
