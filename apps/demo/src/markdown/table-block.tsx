import type { Tokens } from 'marked'
import type { ReactNode } from 'react'
import { inPlace } from '../ui/in-place.ts'
import { TableScroll } from '../ui/scroll-box.tsx'
import { Inline } from './inline.tsx'
import { knownTokens } from './tokens.ts'

const mostCells = 2000

/** A table of an answer. */
export function TableBlock({ table }: { readonly table: Tokens.Table }): ReactNode {
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
