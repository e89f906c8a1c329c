import type { ToolOutput } from '@offthread/core'
import type { ReactNode } from 'react'
import { counted, formatBytes, formatCount } from '../../text/quantity.ts'
import type { loadTable } from '../../tools/definitions.ts'
import { inPlace } from '../../ui/in-place.ts'
import { TableScroll } from '../../ui/scroll-box.tsx'
import { useSome } from '../../ui/use-some.tsx'

type Profile = ToolOutput<typeof loadTable>
type Column = Profile['columns'][number]

/** A loaded table: its size, and what is in each column. */
export function TableProfile({ profile }: { readonly profile: Profile }): ReactNode {
  const { table, rows, bytes, columns, notes } = profile
  const { some, more } = useSome(columns, 'column')
  return (
    <>
      <p className="small detail-text">
        <code>{table}</code> · {counted(rows, 'row')} · {counted(columns.length, 'column')} ·{' '}
        {formatBytes(bytes)}
      </p>
      <TableScroll label={`Columns of ${table}`}>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Type</th>
            <th scope="col" data-align="right">
              Different
            </th>
            <th scope="col" data-align="right">
              Missing
            </th>
            <th scope="col">Examples</th>
          </tr>
        </thead>
        <tbody>
          {some.map((column) => (
            <tr key={column.name}>
              <th scope="row">{column.name}</th>
              <td>{column.type}</td>
              <td data-align="right">{formatCount(column.distinct)}</td>
              <td data-align="right">{column.empty === 0 ? '–' : formatCount(column.empty)}</td>
              <td className="cut table-examples">{examplesText(column)}</td>
            </tr>
          ))}
        </tbody>
      </TableScroll>
      {more}
      {inPlace(notes, (note) => (
        <p className="quiet">{note}</p>
      ))}
    </>
  )
}

function examplesText({ min, max, examples }: Column): string {
  if (min !== undefined && max !== undefined) return `${min} to ${max}`
  return examples.slice(0, 3).map(String).join(', ')
}
