import type { ToolOutput } from '@offthread/core'
import type { ReactNode } from 'react'
import { counted } from '../../text/quantity.ts'
import type { sqlQuery } from '../../tools/definitions.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { inPlace } from '../../ui/in-place.ts'
import { TableScroll } from '../../ui/scroll-box.tsx'

type QueryOutput = ToolOutput<typeof sqlQuery>

const mostRows = 200
const mostCells = 4000

export function QueryResult({ query }: { readonly query: QueryOutput }): ReactNode {
  const rows = query.rows.slice(0, Math.min(mostRows, Math.ceil(mostCells / query.columns.length)))
  const numeric = query.columns.map((_, at) => rows.every((row) => typeof row[at] !== 'string'))
  const alignOf = (at: number) => (numeric[at] ? 'right' : undefined)
  return (
    <>
      <TableScroll label="Rows of the query" tall>
        <thead>
          <tr>
            {inPlace(query.columns, (name, at) => (
              <th scope="col" data-align={alignOf(at)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {inPlace(rows, (row) => (
            <tr>
              {inPlace(row, (value, at) => (
                <td data-align={alignOf(at)} data-short={String(value).length <= 24}>
                  {cellText(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </TableScroll>
      <p className="ends quiet">
        {rows.length < query.rowCount
          ? `The first ${rows.length} of ${counted(query.rowCount, 'row')}`
          : counted(query.rowCount, 'row')}
        <CsvButton name="query.csv" rows={() => [query.columns, ...query.rows]} />
      </p>
    </>
  )
}

function cellText(value: string | number | null): ReactNode {
  if (value === null) return <span className="quiet">null</span>
  if (value === '') return <span className="quiet">(empty)</span>
  // Integers have no separators: they may be years, ids or codes.
  return typeof value === 'number' && Math.abs(value) >= 10_000 && !Number.isInteger(value)
    ? value.toLocaleString('en', { maximumFractionDigits: 4 })
    : String(value)
}
