import type { Token } from 'markdown-it'

/** A piece of formatted text: a string, or an element with pieces in it. */
export type MarkNode = string | MarkElement

type MarkTag =
  | ('p' | 'h4' | 'h5' | 'h6' | 'blockquote' | 'ul' | 'ol' | 'li' | 'pre' | 'hr')
  | ('table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td')
  | ('strong' | 'em' | 'del' | 'code' | 'a' | 'br' | 'plain')

/** An element of the page, from a closed list of them. `plain` is text as it was written. */
export interface MarkElement {
  readonly tag: MarkTag
  readonly children: MarkNode[]
  /** The address of a link. */
  href?: string
  /** The number of a list's first item. */
  start?: number
  align?: string
  /** An item of a list of tasks. */
  task?: boolean
}

const tags: Readonly<Record<string, MarkTag>> = {
  // The page uses the levels above for its own headings.
  ...{ h1: 'h4', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', h6: 'h6' },
  ...{ p: 'p', blockquote: 'blockquote', ul: 'ul', ol: 'ol', li: 'li', a: 'a', s: 'del' },
  ...{ table: 'table', thead: 'thead', tbody: 'tbody', tr: 'tr', th: 'th', td: 'td' },
  ...{ strong: 'strong', em: 'em' },
}

/** Emphasis inside emphasis beyond this shows its marks instead. */
const deepest = 60

/** The tree of the parser's flat list of tokens. It does not recurse, so no nesting can overflow the stack. */
export function toTree(tokens: readonly Token[]): readonly MarkElement[] {
  const root: MarkElement = { tag: 'plain', children: [] }
  const path: (MarkElement | null)[] = []
  let parent = root
  const add = (node: MarkNode): void => {
    if (node !== '') parent.children.push(node)
  }
  const open = (token: Token): void => {
    // A paragraph of a tight list is not drawn.
    const element = token.hidden || path.length > deepest ? null : toElement(token)
    path.push(element && parent)
    if (element) {
      add(element)
      parent = element
    } else add(markOf(token))
  }
  const close = (token: Token): void => {
    const outer = path.pop()
    if (outer) {
      if (parent.tag === 'li') markTask(parent)
      parent = outer
    } else add(markOf(token))
  }
  const walk = (list: readonly Token[]): void => {
    for (const token of list) {
      if (token.type === 'inline') walk(token.children ?? [])
      else if (token.nesting === 1) open(token)
      else if (token.nesting === -1) close(token)
      else for (const node of toLeaf(token)) add(node)
    }
  }
  walk(tokens)
  return root.children.filter((node) => typeof node !== 'string')
}

/** What is left of an element that is not drawn. */
function markOf({ type, markup }: Token): string {
  return /^(em|strong|s)_/.test(type) ? markup : ''
}

/** The number of elements of a tree, and of its texts. */
export function countNodes(element: MarkElement): number {
  let count = 0
  const left: MarkElement[] = [element]
  for (let next = left.pop(); next; next = left.pop()) {
    count += 1 + next.children.length
    for (const child of next.children) if (typeof child !== 'string') left.push(child)
  }
  return count
}

function toElement(token: Token): MarkElement {
  const element: MarkElement = { tag: tags[token.tag] ?? 'plain', children: [] }
  const href = token.attrGet('href')
  const start = token.attrGet('start')
  const align = /^text-align:(\w+)$/.exec(String(token.attrGet('style')))?.[1]
  if (href !== null) element.href = String(href)
  if (start !== null) element.start = Number(start)
  if (align !== undefined) element.align = align
  return element
}

function toLeaf(token: Token): readonly MarkNode[] {
  const { content } = token
  switch (token.type) {
    case 'softbreak':
      return ['\n']
    case 'hardbreak':
      return [{ tag: 'br', children: [] }]
    case 'code_inline':
      return [{ tag: 'code', children: [content] }]
    case 'fence':
    case 'code_block':
      return [{ tag: 'pre', children: [content.replace(/\n$/, '')] }]
    case 'hr':
      return [{ tag: 'hr', children: [] }]
    case 'image':
      // Loading it would send data of the answer to its server, so it is a link.
      return [toImageLink(token.children ?? [], String(token.attrGet('src')))]
    default:
      return withBreaks(content)
  }
}

function toImageLink(inside: readonly Token[], href: string): MarkElement {
  const description = inside.map(({ content }) => content).join('')
  return { tag: 'a', href, children: [`Image: ${description || 'without description'}`] }
}

/** Models write `<br>` into the cells of tables. All other HTML is text. */
function withBreaks(text: string): readonly MarkNode[] {
  if (!text.includes('<')) return [text]
  return text
    .split(/<br ?\/?>/i)
    .flatMap((line, at): MarkNode[] => (at === 0 ? [line] : [{ tag: 'br', children: [] }, line]))
}

/** Shows the mark of a task as a box. */
function markTask(item: MarkElement): void {
  const [first] = item.children
  const holder = typeof first === 'object' && first.tag === 'p' ? first : item
  const [text] = holder.children
  if (typeof text !== 'string' || !/^\[[ xX]\] /.test(text)) return
  holder.children[0] = `${text.startsWith('[ ]') ? '☐' : '☑'} ${text.slice(4)}`
  item.task = true
}
