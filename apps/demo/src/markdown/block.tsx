import { CopyText } from '@offthread/react/message'
import type { Token } from 'markdown-it'
import { type ElementType, type ReactNode, useRef } from 'react'
import { Piece } from '../text/long-text.tsx'
import { CsvButton } from '../ui/csv-button.tsx'
import { inPlace } from '../ui/in-place.ts'
import { ScrollBox, TableScroll } from '../ui/scroll-box.tsx'
import { parseUrl, realAddress } from './real-address.ts'

/** A block of markdown as the page shows it. */
export interface Block {
  readonly element: ReactNode
  /** The number of its texts and elements. An element counts twice, because it takes longer to draw. */
  readonly nodes: number
  /** Set if the block is code. */
  readonly code?: Code
}

/** Code of an answer. */
export interface Code {
  /** The code: cut, if it is long. */
  readonly pieces: readonly string[]
  /** The language that the model names; may be empty. */
  readonly language: string
}

/** Emphasis inside emphasis beyond this shows its marks instead. */
const deepest = 60

/** These elements count more, because they have buttons. */
const weights: Readonly<Record<string, number>> = { code: 12, table: 10 }

/** Makes a block of the parser's flat list of tokens. It does not recurse, so no nesting can overflow the stack. */
export function toBlock(tokens: readonly Token[]): Block {
  const path: { readonly token: Token; readonly outside: ReactNode[] | null }[] = []
  let content: ReactNode[] = []
  let nodes = 0
  const add = (node: ReactNode, tag = ''): void => {
    if (node === '') return
    content.push(node)
    nodes += typeof node === 'string' ? 1 : (weights[tag] ?? 2)
  }
  const open = (token: Token): void => {
    // A paragraph of a tight list is not drawn.
    const isDrawn = !token.hidden && path.length <= deepest
    path.push({ token, outside: isDrawn ? content : null })
    if (isDrawn) content = []
    else add(markOf(token))
  }
  const close = (end: Token): void => {
    const { token, outside } = path.pop() ?? {}
    const element =
      token && outside
        ? toElement(
            token,
            inPlace(content, (node) => node),
            isShort(content),
          )
        : markOf(end)
    content = outside ?? content
    add(element, end.tag)
  }
  const flat = tokens.flatMap((one) => (one.type === 'inline' ? (one.children ?? []) : one))
  for (const token of flat) {
    if (token.nesting === 1) open(token)
    else if (token.nesting === -1) close(token)
    else for (const node of toLeaves(token)) add(node, token.block ? token.tag : '')
  }
  const [code] = flat.filter(isCode).map(codeOf)
  return { element: content[0], nodes, ...(flat.length === 1 && code && { code }) }
}

function isCode({ type }: Token): boolean {
  return type === 'fence' || type === 'code_block'
}

function codeOf({ content, info }: Token): Code {
  return { pieces: [content], language: info.trim() }
}

export function asWritten(raw: string): Block {
  return { element: <p className="md-plain">{raw.replace(/\n+$/, '')}</p>, nodes: 2 }
}

/** What is left of an element that is not drawn. */
function markOf({ type, markup }: Token): string {
  return /^(em|strong|s)_/.test(type) ? markup : ''
}

const plainTags: Readonly<Record<string, ElementType<{ children: ReactNode }>>> = {
  // The page uses the levels above for its own headings.
  ...{ h1: 'h4', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', h6: 'h6' },
  ...{ blockquote: 'blockquote', thead: 'thead', tbody: 'tbody', tr: 'tr' },
  ...{ strong: 'strong', em: 'em', s: 'del' },
}

/** A date or a number, which is hard to read in two lines. */
function isShort(content: readonly ReactNode[]): boolean {
  return content.every((one) => typeof one === 'string') && content.join('').length <= 24
}

function toElement(token: Token, content: ReactNode, isShortText: boolean): ReactNode {
  const align = /^text-align:(\w+)$/.exec(String(token.attrGet('style')))?.[1]
  switch (token.tag) {
    case 'a':
      return (
        <Link href={String(token.attrGet('href'))} text={String(token.attrGet('text'))}>
          {content}
        </Link>
      )
    case 'table':
      return <MarkdownTable>{content}</MarkdownTable>
    case 'ol':
      return (
        <ol dir="auto" start={Number(token.attrGet('start') ?? 1)}>
          {content}
        </ol>
      )
    case 'ul':
      return <ul dir="auto">{content}</ul>
    case 'li':
      return <li className={token.attrGet('class')?.toString()}>{content}</li>
    case 'th':
      return (
        <th scope="col" data-align={align}>
          {content}
        </th>
      )
    case 'td':
      return (
        <td data-align={align} data-short={isShortText}>
          {content}
        </td>
      )
    default: {
      const Tag = plainTags[token.tag] ?? 'p'
      return <Tag>{content}</Tag>
    }
  }
}

const lineBreak = <br />

function toLeaves(token: Token): readonly ReactNode[] {
  // Models write `<br>` into the cells of tables. All other HTML is text.
  const lines = token.type === 'text' ? token.content.split(/<br ?\/?>/i) : [toLeaf(token)]
  return lines.flatMap((line, at) => (at === 0 ? [line] : [lineBreak, line]))
}

function toLeaf(token: Token): ReactNode {
  const { type, content } = token
  switch (type) {
    case 'softbreak':
      return '\n'
    case 'hardbreak':
      return lineBreak
    case 'hr':
      return <hr />
    case 'code_inline':
      return <code>{content}</code>
    case 'fence':
    case 'code_block':
      return <CodeBlock {...codeOf(token)} />
    case 'image':
      // Loading it would send data of the answer to its server, so it is a link.
      return (
        <Link href={String(token.attrGet('src'))} text={describe(token)}>
          Image: {describe(token)}
        </Link>
      )
    default:
      return content
  }
}

function describe({ children }: Token): string {
  return children?.map(({ content }) => content).join('') || 'without description'
}

interface LinkProps {
  readonly href: string
  /** What it says, without marks. */
  readonly text: string
  readonly children: ReactNode
}

/** A link; as plain text if it is relative or its scheme is not allowed. */
function Link({ href, text, children }: LinkProps): ReactNode {
  const url = parseUrl(href)
  if (!url || !schemes.has(url.protocol)) return children
  const real = realAddress(url, text)
  return (
    <>
      <a href={url.href} title={url.href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
      {real !== undefined && <span className="quiet link-host"> ({real})</span>}
    </>
  )
}

const schemes = new Set(['https:', 'http:', 'mailto:'])

export interface TableProps {
  readonly children: ReactNode
  /** It goes on with the table before it, which was cut. */
  readonly isMore?: boolean
}

/** A table of an answer. A long one can be saved, as one file however often it was cut. */
export function MarkdownTable({ children, isMore }: TableProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null)
  return (
    <div className="table-frame" data-more={isMore} ref={frame}>
      <TableScroll label="Table">{children}</TableScroll>
      <CsvButton name="table.csv" rows={() => rowsFrom(frame.current)} />
    </div>
  )
}

/** The rows of a table up to its last part, under the header of the first one. */
function rowsFrom(last: Element | null): readonly (readonly string[])[] {
  const isMore = last?.hasAttribute('data-more') ?? false
  const rows = [...(last?.querySelectorAll('tr') ?? [])].slice(isMore ? 1 : 0)
  const cells = rows.map(({ cells }) => Array.from(cells, ({ textContent }) => textContent ?? ''))
  return isMore ? [...rowsFrom(last?.previousElementSibling ?? null), ...cells] : cells
}

/** Code, and above it a button that copies all of it, so that the button covers no code. */
export function CodeBlock({ pieces, language }: Code): ReactNode {
  const code = (): string => pieces.join('').replace(/\n$/, '')
  return (
    <div className="code-frame">
      <div className="ends code-head">
        <span>{language.slice(0, 40) || 'code'}</span>
        <CopyText className="copy-button" aria-label="Copy the code" text={code} />
      </div>
      <ScrollBox as="pre">
        <code>
          {inPlace(pieces, (piece) => (
            <Piece text={piece} />
          ))}
        </code>
      </ScrollBox>
    </div>
  )
}
