import MarkdownIt, { type StateBlock, type Token } from 'markdown-it'
import { asWritten, type Block, toBlock } from './block.tsx'

/** A block of markdown at the top level, such as a paragraph or a whole list. */
export interface ParsedBlock extends Block {
  /** Where the block starts in the text that was parsed. It ends where the next one starts. */
  readonly start: number
  /** Repeated in front of what follows, if the block is cut here: a table's header, the fence of code. */
  readonly carry: string
  /** The same if what follows belongs to its last item: the marks of the lists that are open. Empty if there are none. */
  readonly marks: string
}

const deepest = 50
const parser = new MarkdownIt({ html: false, linkify: true, maxNesting: deepest })
for (const rule of parser.block.ruler.__rules__) {
  const read = rule.fn
  if (rule.name !== 'table') continue
  rule.fn = (...[state, start, end, silent]) =>
    read(state, start, endOfTable(state, start, end), silent)
}
// The definition of a reference may come much later than its use, and a closed block is not parsed again.
parser.disable('reference')
parser.linkify?.set({ fuzzyLink: false, fuzzyEmail: false })
// Letters of another alphabet can look like those of a server that people trust.
const textOfLink = parser.normalizeLinkText.bind(parser)
const foreignServer = /^\w+:[/\\]*[^/\\?#]*[^ -~][^/\\?#]*/
parser.normalizeLinkText = (url) =>
  textOfLink(url).replace(foreignServer, (server) => parser.normalizeLink(server))
// Shows the mark of a task as a box.
parser.core.ruler.push('tasks', ({ tokens }) => {
  for (const [at, { children }] of tokens.entries()) {
    const item = tokens[at - 2]
    const text = children?.[0]
    const [mark] = /^\[[ xX]\] /.exec(text?.content ?? '') ?? []
    if (!mark || text?.type !== 'text' || item?.type !== 'list_item_open') continue
    text.content = `${mark === '[ ] ' ? '☐' : '☑'} ${text.content.slice(mark.length)}`
    item.attrSet('class', 'md-task')
  }
})
// What a link says may be another address than where it leads.
parser.core.ruler.push('link_texts', ({ tokens }) => {
  for (const { children } of tokens) {
    let link: Token | undefined
    let text = ''
    for (const token of children ?? []) {
      if (token.type === 'link_open') [link, text] = [token, '']
      else if (token.type === 'link_close') link?.attrSet('text', text)
      else text += token.type === 'softbreak' ? ' ' : token.content
    }
  }
})

/**
 * Parses markdown. The time grows with the length of the text alone, whatever is in it. `isMore`: its first line repeats
 * what was cut, so items that start there have their marks already.
 */
export function parseBlocks(text: string, isMore = false): readonly ParsedBlock[] {
  const tokens = parser.parse(text, {})
  const repeated = isMore
    ? tokens.filter(({ type, map }) => type === 'list_item_open' && map?.[0] === 0)
    : []
  for (const item of repeated) item.attrSet('class', 'md-more')
  const lineStarts = startsOfLines(text)
  const lines = text.split(lineEnd)
  return blocksOf(tokens).map((block, at, all) => {
    const start = startOf(block, lineStarts)
    const next = all[at + 1]
    const raw = text.slice(start, next && startOf(next, lineStarts))
    // The parser drops what is nested deeper than its limit, so such a block is shown unparsed.
    const tooDeep = block.some(({ level }) => level >= deepest - 1)
    const shown = tooDeep ? asWritten(raw) : toBlock(block)
    return { ...shown, start, carry: carryOf(block, lines), marks: marksAtEnd(block, lines) }
  })
}

/** More than one frame of the page can bear. */
const mostTokens = 3000

/**
 * The parser fills the rows of a table that are shorter than its head, with up to 65,536 cells. A table ends where it
 * would have too many, and the text is then read again in smaller pieces.
 */
function endOfTable(state: StateBlock, start: number, end: number): number {
  const head = state.src.slice(state.bMarks[start + 1], state.eMarks[start + 1])
  const tokensOfRow = 3 * head.split('|').length
  const rows = Math.floor((mostTokens - state.tokens.length) / tokensOfRow)
  return Math.min(end, start + 2 + Math.max(0, rows))
}

function blocksOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const blocks: Token[][] = []
  for (const token of tokens) {
    if (token.level === 0 && token.nesting !== -1) blocks.push([])
    blocks.at(-1)?.push(token)
  }
  return blocks
}

function startOf([first]: readonly Token[], lineStarts: readonly number[]): number {
  return lineStarts[first?.map?.[0] ?? 0] ?? 0
}

const lineEnd = /\r\n?|\n/g

function startsOfLines(text: string): readonly number[] {
  const starts = [0]
  for (const { 0: end, index } of text.matchAll(lineEnd)) starts.push(index + end.length)
  return starts
}

/** `lines`: of the text that was parsed. */
function carryOf(block: readonly Token[], lines: readonly string[]): string {
  const last = block.findLast(({ nesting }) => nesting !== -1)
  if (!last) return ''
  if (last.type === 'fence') return carryOfFence(last, block, lines)
  const table = openAt(last, block).find(({ type }) => type === 'table_open')
  const rule = lines[(table?.map?.[0] ?? 0) + 1] ?? ''
  return table ? `${lineWithMarks(table, block, lines)}${rule}\n` : ''
}

/** The line that opens code, if nothing closes it. */
function carryOfFence(fence: Token, block: readonly Token[], lines: readonly string[]): string {
  const [start, end] = fence.map ?? [0, 0]
  const mark =
    lines
      .slice(start + 1, end)
      .at(-1)
      ?.replace(/^[\s>]+/, '')
      .trim() ?? ''
  const isClosed =
    mark.replaceAll(fence.markup[0] ?? '', '') === '' && mark.length >= fence.markup.length
  return isClosed ? '' : lineWithMarks(fence, block, lines)
}

/** The first line of a block, with the marks of the lists and quotes that it stands in. */
function lineWithMarks(inner: Token, block: readonly Token[], lines: readonly string[]): string {
  const line = lines[inner.map?.[0] ?? 0] ?? ''
  const marks = marksBefore(inner, block, lines)
  return `${marks}${line.slice(marks.length)}\n`
}

function marksAtEnd(block: readonly Token[], lines: readonly string[]): string {
  const last = block.findLast(({ type, nesting }) => type === 'inline' || nesting === 0)
  const isList = /^(bullet|ordered)_list_open$/.test(block[0]?.type ?? '')
  const marks = last && isList ? marksBefore(last, block, lines) : ''
  // Three equal marks alone are no lists, but a line.
  return marks && `${marks.replace(/^(\s*(?:([-*])\s+)(?:\2\s+)+)\2(\s*)$/, '$1+$3')}\n`
}

function marksBefore(inner: Token, block: readonly Token[], lines: readonly string[]): string {
  const line = lines[inner.map?.[0] ?? 0] ?? ''
  const path = [...marksOf(line)]
  for (const { type, map } of openAt(inner, block)) {
    if (type !== 'list_item_open') continue
    const marks = marksOf(lines[map?.[0] ?? 0]).slice(0, path.length)
    for (const [column, one] of [...marks].entries()) if (one !== ' ') path[column] = one
  }
  return path.join('')
}

/** What is open where a token stands. */
function openAt(token: Token, block: readonly Token[]): readonly Token[] {
  const open: Token[] = []
  for (const one of block.slice(0, block.indexOf(token))) {
    if (one.nesting === 1) open.push(one)
    else if (one.nesting === -1) open.pop()
  }
  return open
}

/** What stands before a line of lists and quotes. */
function marksOf(line = ''): string {
  return /^(?: *(?:>|(?:[-*+]|\d{1,9}[.)])(?= )))* */.exec(line)?.[0] ?? ''
}
