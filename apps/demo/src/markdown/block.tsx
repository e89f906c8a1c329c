import type { MarkedToken, Tokens } from 'marked'
import type { ReactNode } from 'react'
import { memo } from 'react'
import { inPlace } from '../ui/in-place.ts'
import { ScrollBox, TableScroll } from '../ui/scroll-box.tsx'
import { Inline } from './inline.tsx'
import { knownTokens, lexBlock } from './tokens.ts'

const deepest = 40
const headings = ['h4', 'h4', 'h5', 'h6', 'h6', 'h6'] as const

interface BlockProps {
  readonly raw: string
  /** The block may still grow. */
  readonly open: boolean
}

/** One block of markdown. It is parsed again only if its text changes. */
export const Block = memo(function Block({ raw, open }: BlockProps): ReactNode {
  return <Blocks tokens={lexBlock(open ? closeOpenMarks(raw) : raw)} depth={0} />
})

interface BlocksProps {
  readonly tokens: readonly MarkedToken[]
  readonly depth: number
}

function Blocks({ tokens, depth }: BlocksProps): ReactNode {
  return inPlace(tokens, (token) => blockToken(token, depth))
}

function blockToken(token: MarkedToken, depth: number): ReactNode {
  if (depth > deepest) return token.raw
  switch (token.type) {
    case 'space':
      return null
    case 'paragraph':
      return (
        <p>
          <Inline tokens={knownTokens(token.tokens)} />
        </p>
      )
    case 'heading': {
      // The page uses the levels above for its own headings.
      const Heading = headings[token.depth - 1] ?? 'h6'
      return (
        <Heading>
          <Inline tokens={knownTokens(token.tokens)} />
        </Heading>
      )
    }
    case 'code':
      return <CodeBlock text={token.text} />
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={knownTokens(token.tokens)} depth={depth + 1} />
        </blockquote>
      )
    case 'list':
      return <ListBlock list={token} depth={depth} />
    case 'table':
      return <TableBlock table={token} />
    case 'hr':
      return <hr />
    case 'html':
    case 'def':
      return <p>{token.raw.trim()}</p>
    default:
      return <Inline tokens={[token]} />
  }
}

function CodeBlock({ text }: { readonly text: string }): ReactNode {
  return (
    <ScrollBox as="pre">
      <code>{text}</code>
    </ScrollBox>
  )
}

function ListBlock({ list, depth }: { list: Tokens.List; depth: number }): ReactNode {
  const items = inPlace(list.items, (item) => (
    <li className={item.task ? 'md-task' : undefined}>
      <Blocks tokens={knownTokens(item.tokens)} depth={depth + 1} />
    </li>
  ))
  if (!list.ordered) return <ul>{items}</ul>
  return <ol start={typeof list.start === 'number' ? list.start : 1}>{items}</ol>
}

/**
 * Closes bold text and code that an unfinished answer has opened, so that their marks do not show until the
 * closing ones arrive.
 */
function closeOpenMarks(raw: string): string {
  if (/^ {0,3}(```|~~~)/.test(raw)) return raw
  const ticks = raw.match(/`+/g) ?? []
  if (ticks.length % 2 === 1) return raw + (ticks.at(-1) ?? '')
  const stars = raw.replace(/`[^`]*`/g, '').match(/\*\*/g) ?? []
  if (stars.length % 2 === 0) return raw
  // A mark at the very end has opened nothing yet, so it is hidden.
  const opened = raw.replace(/\*+$/, '')
  return opened === raw ? `${raw.trimEnd()}**` : closeOpenMarks(opened)
}

const mostCells = 2000

/** A table of an answer. */
function TableBlock({ table }: { readonly table: Tokens.Table }): ReactNode {
  const columns = Math.max(1, table.header.length)
  const rows = table.rows.slice(0, Math.floor(mostCells / columns))
  const left = table.rows.length - rows.length
  return (
    <>
      <TableScroll label="Table">
        <thead>
          <tr>{inPlace(table.header, (cell) => toCell(cell, 'th'))}</tr>
        </thead>
        <tbody>
          {inPlace(rows, (row) => (
            <tr>{inPlace(row, (cell) => toCell(cell, 'td'))}</tr>
          ))}
        </tbody>
      </TableScroll>
      {left > 0 && <p className="quiet">{left.toLocaleString('en')} more rows are not shown.</p>}
    </>
  )
}

function toCell(cell: Tokens.TableCell, Cell: 'th' | 'td'): ReactNode {
  const content = <Inline tokens={knownTokens(cell.tokens)} />
  const align = cell.align ?? undefined
  if (Cell === 'td') return <td data-align={align}>{content}</td>
  return (
    <th scope="col" data-align={align}>
      {content}
    </th>
  )
}
