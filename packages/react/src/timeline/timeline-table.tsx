import { type ReactNode, useState } from 'react'
import { formatMs } from '../rows/format-ms.ts'
import { scrollRegion } from '../rows/roles.ts'
import {
  durationOf,
  keyOfMark,
  labelOf,
  markName,
  type SpentTime,
  spentBy,
  stateOf,
} from './row-words.ts'
import type { PlacedRow } from './rows-of-run.ts'
import type { RunTimeline } from './use-run-timeline.ts'

const rowsAtOnce = 200
const columns: readonly (readonly [keyof SpentTime, string])[] = [
  ['input', 'Input'],
  ['waiting', 'Waiting'],
  ['starting', 'Start-up'],
  ['running', 'Running'],
]
const headings = ['What', 'State', 'Started', ...columns.map(([, name]) => name), 'Took']

/**
 * The same run as a table, for readers to whom text says more than bars: what each row is, how it ended, what else
 * happened, when it started, and what it spent its time on. A time that is not over is left out. Of a long run the
 * first 200 rows are shown, and a button shows more.
 *
 * @example
 * ```tsx
 * return <TimelineTable timeline={useRunTimeline(agent)} />
 * ```
 */
export function TimelineTable({ timeline }: { readonly timeline: RunTimeline }): ReactNode {
  const [shown, setShown] = useState(rowsAtOnce)
  const { rows, startedAt } = timeline
  const left = rows.length - shown
  return (
    <div data-part="table" {...scrollRegion('Timeline of the run')}>
      <table>
        <caption>Timeline of the run</caption>
        <thead>
          <tr>
            {headings.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map(({ row, depth }) => (
            <TableRow key={`${row.kind} ${row.id}`} {...{ row, depth, startedAt }} />
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <button
          type="button"
          data-part="button"
          onClick={({ currentTarget }) => {
            // With the last rows the button goes, and its focus must not.
            if (left <= rowsAtOnce) currentTarget.parentElement?.focus()
            setShown(shown + rowsAtOnce)
          }}
        >
          Show more ({left} rows)
        </button>
      )}
    </div>
  )
}

function TableRow({
  row,
  depth,
  startedAt,
}: PlacedRow & Pick<RunTimeline, 'startedAt'>): ReactNode {
  const [first, last] = [row.phases[0], row.phases.at(-1)]
  const end = last?.endedAt ?? null
  const spent = end === null ? null : spentBy(row, end)
  return (
    <tr data-kind={row.kind} data-end={row.end}>
      <th scope="row" style={{ paddingInlineStart: `${1 + depth * 0.75}em` }}>
        {labelOf(row)}
      </th>
      <td>
        {stateOf(row)}
        {row.marks.map((mark) => (
          <div key={keyOfMark(mark)} data-part="quiet">
            {markName(mark, startedAt)}
          </div>
        ))}
      </td>
      <td>{first ? formatMs(first.startedAt - startedAt) : ''}</td>
      {columns.map(([column]) => (
        // A phase that took no time has an empty cell.
        <td key={column}>{spent && spent[column] > 0 ? formatMs(spent[column]) : ''}</td>
      ))}
      <td>{end === null ? '' : formatMs(durationOf(row, end))}</td>
    </tr>
  )
}
