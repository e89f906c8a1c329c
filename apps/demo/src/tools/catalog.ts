import { z } from 'zod'
import type { DataState } from './tables.ts'

/** All loaded tables and their columns, also of tables that a query was not given: for its error messages. */
export interface CatalogEntry {
  readonly table: string
  readonly columns: readonly string[]
}

const catalogSchema = z.array(z.object({ table: z.string(), columns: z.array(z.string()) }))

/** Written as a Blob, because that is what a call can be handed. */
export function catalogOf({ tables }: Pick<DataState, 'tables'>): Blob {
  const entries: readonly CatalogEntry[] = [...tables.values()].map(({ table, columns }) => ({
    table,
    columns: columns.map(({ name }) => name),
  }))
  return new Blob([JSON.stringify(entries)], { type: 'application/json' })
}

export async function readCatalog(blob: unknown): Promise<readonly CatalogEntry[]> {
  if (!(blob instanceof Blob)) return []
  const value: unknown = JSON.parse(await blob.text())
  return catalogSchema.parse(value)
}
