import { ToolError } from '@offthread/core'
import { listed } from '../text/quantity.ts'

/** A loaded table: what a query needs to know, and its bytes. */
export interface LoadedTable {
  readonly table: string
  readonly file: string
  readonly rows: number
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** The database image, as an artifact of the call that loaded it. */
  readonly image: () => Blob | Promise<Blob>
}

export interface DataState {
  /** Newest last. */
  readonly files: ReadonlyMap<string, Blob>
  readonly tables: ReadonlyMap<string, LoadedTable>
}

/** What the page holds for the data tools: dropped files and loaded tables. */
export interface DataStore {
  readonly getState: () => DataState
  /** Adds a dropped file. One of the same name is replaced. */
  readonly addFile: (name: string, file: Blob) => void
  /** Adds a loaded table. One of the same name, by SQL's rules, is replaced. */
  readonly addTable: (table: LoadedTable) => void
}

export function createDataStore(): DataStore {
  let state: DataState = { files: new Map(), tables: new Map() }
  return {
    getState: () => state,
    addFile: (name, file) => {
      const others = [...state.files].filter(([other]) => other !== name)
      state = { ...state, files: new Map([...others, [name, file]]) }
    },
    addTable: (table) => {
      const same = (other: string) => other.toLowerCase() === table.table.toLowerCase()
      const others = [...state.tables].filter(([name]) => !same(name))
      state = { ...state, tables: new Map([...others, [table.table, table]]) }
    },
  }
}

/** The file of that name. Throws a sentence for the model if there is none. */
export function findFile({ files }: DataState, name: string): Blob {
  const file = files.get(name) ?? files.get(name.trim())
  if (file) return file
  throw new ToolError(
    'not_found',
    files.size === 0
      ? `There is no file called "${name}": no file was dropped yet.`
      : `There is no file called "${name}". Files: ${listed([...files.keys()])}.`,
  )
}

/** SQLite attaches no more to one query. */
const mostTables = 9

/** The tables a query may mean: those whose name stands in it, or all of a few. */
export function tablesFor({ tables }: DataState, sql: string): readonly LoadedTable[] {
  const all = [...tables.values()]
  if (all.length <= 3) return all
  const lowerSql = sql.toLowerCase()
  const named = all.filter(({ table }) => lowerSql.includes(table.toLowerCase()))
  if (named.length <= mostTables) return named
  throw new ToolError(
    'invalid_args',
    `A query can use ${mostTables} tables, and this one names ${named.length}.`,
  )
}
