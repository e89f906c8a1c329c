import { type ReactNode, useRef } from 'react'
import { CsvButton } from '../ui/csv-button.tsx'
import { TableScroll } from '../ui/scroll-box.tsx'

/** A table of an answer. A long one can be saved. */
export function MarkdownTable({ children }: { readonly children: ReactNode }): ReactNode {
  const frame = useRef<HTMLDivElement>(null)
  return (
    <div className="table-frame" ref={frame}>
      <TableScroll label="Table">{children}</TableScroll>
      <CsvButton name="table.csv" rows={() => cellsIn(frame.current)} />
    </div>
  )
}

function cellsIn(frame: HTMLElement | null): readonly (readonly string[])[] {
  const rows = [...(frame?.querySelectorAll('tr') ?? [])]
  return rows.map(({ cells }) => Array.from(cells, ({ textContent }) => textContent ?? ''))
}
