import type { ReactNode } from 'react'
import { download } from '../text/download.ts'
import { toCsv } from '../text/to-csv.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface CsvButtonProps {
  /** The name of the file. */
  readonly name: string
  /** The rows with their header, asked for when they are saved. */
  readonly rows: () => Parameters<typeof toCsv>[0]
}

/** Saves a table for a spreadsheet. */
export function CsvButton({ name, rows }: CsvButtonProps): ReactNode {
  return (
    <Button
      className="quiet csv-button"
      aria-label={`Download ${name}`}
      onClick={() => download(name, new Blob([toCsv(rows())], { type: 'text/csv' }))}
    >
      <Icon name="download" />
      CSV
    </Button>
  )
}
