import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { LoadedFile } from '../sqlite/load-file.ts'
import { createTableWriter } from '../sqlite/table-writer.ts'
import type { MadeTable } from './names.ts'
import { makeOrders, orderColumns, orderCount } from './orders.ts'
import { planetColumns, planets } from './planets.ts'

interface MakeJob {
  readonly sqlite: Sqlite3Static
  readonly name: MadeTable
  readonly table: string
  /** Called after each piece of the rows, and awaited. */
  readonly onRows: (made: number, total: number) => Promise<void>
}

/** Makes one of the tables that need no file. */
export async function makeTable({ sqlite, name, table, onRows }: MakeJob): Promise<LoadedFile> {
  const { columns, pieces, total, notes } = name === 'planets' ? facts : orders()
  const writer = createTableWriter(sqlite, { table, columns })
  let rows = 0
  try {
    for (const piece of pieces) {
      writer.add(piece)
      rows += piece.length
      await onRows(rows, total)
    }
    const written = await writer.finish(() => onRows(rows, total))
    return { ...written, rows, notes }
  } finally {
    writer.close()
  }
}

const facts = {
  columns: planetColumns,
  pieces: [planets],
  total: planets.length,
  notes: [
    "Figures of NASA's planetary fact sheets: distances from the Sun, masses in those of the Earth, days from noon to noon.",
  ],
}

const seed = 1

function orders() {
  const notes = [
    `Synthetic: this page made up these orders, from the seed ${seed}. No shop has them.`,
  ]
  return { columns: orderColumns, pieces: makeOrders(seed), total: orderCount, notes }
}
