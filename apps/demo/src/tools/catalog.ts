import { z } from 'zod'
import type { DataState } from './tables.ts'

const entrySchema = z.object({ table: z.string(), columns: z.array(z.string()).readonly() })

/** A loaded table with its columns. A query gets all of them, for its error messages. */
export type CatalogEntry = z.output<typeof entrySchema>

/** The catalog as a Blob, which can be a resource of a call. */
export function catalogOf({ tables }: Pick<DataState, 'tables'>): Blob {
  const entries: CatalogEntry[] = [...tables.values()].map(({ table, columns }) => ({
    table,
    columns: columns.map(({ name }) => name),
  }))
  return new Blob([JSON.stringify(entries)], { type: 'application/json' })
}

export async function readCatalog(blob: unknown): Promise<readonly CatalogEntry[]> {
  if (!(blob instanceof Blob)) return []
  const value: unknown = JSON.parse(await blob.text())
  return z.array(entrySchema).parse(value)
}
