import { ToolError } from '@offthread/core'
import { listed } from '../text/quantity.ts'

/** A loaded table: its description and its bytes. */
export interface LoadedTable {
  readonly table: string
  readonly file: string
  readonly rows: number
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** The database image: an artifact of the call that loaded the table. */
  readonly image: () => Blob | Promise<Blob>
}

export interface DataState {
  /** Newest last. */
  readonly files: ReadonlyMap<string, Blob>
  readonly tables: ReadonlyMap<string, LoadedTable>
  /** What the agent has done so far: its events, as JSON. */
  readonly readLog: () => Promise<Blob>
}

export type DataStore = ReturnType<typeof createDataStore>

/** The dropped files and loaded tables, for the data tools. */
export function createDataStore() {
  const readLog = async () => new Blob(['[]'])
  let state: DataState = { files: new Map(), tables: new Map(), readLog }
  let arriving: Promise<unknown> = Promise.resolve()
  return {
    getState: (): DataState => state,
    /** Says that files are being read that other tabs have sent. `reading` adds them, and does not reject. */
    expectFiles: (reading: Promise<unknown>): void => {
      arriving = reading
    },
    /** Resolves when they are there. */
    arrived: (): Promise<unknown> => arriving,
    /** Adds a dropped file, or replaces the one of the same name. */
    addFile: (name: string, file: Blob): void => {
      const others = [...state.files].filter(([other]) => other !== name)
      state = { ...state, files: new Map([...others, [name, file]]) }
    },
    /** Says where the events of the agent are read. */
    setLog: (read: DataState['readLog']): void => {
      state = { ...state, readLog: read }
    },
    /** Adds a loaded table, or replaces the one whose name is the same in SQL, which ignores case. */
    addTable: (table: LoadedTable): void => {
      const same = (other: string) => other.toLowerCase() === table.table.toLowerCase()
      const others = [...state.tables].filter(([name]) => !same(name))
      state = { ...state, tables: new Map([...others, [table.table, table]]) }
    },
  }
}

/** The file with this name. Throws a `ToolError` that lists the files if there is none. */
export function findFile({ files }: DataState, name: string): Blob {
  const file = files.get(name) ?? files.get(name.trim())
  if (file) return file
  const others =
    files.size === 0 ? ': no file was dropped yet' : `. Files: ${listed([...files.keys()])}`
  throw new ToolError('not_found', `There is no file called "${name}"${others}.`)
}

/** The most tables that SQLite attaches to one query. */
const mostTables = 9

/** The tables that a query may use: those whose names are in it, or all if there are few. */
export function tablesFor({ tables }: DataState, sql: string): readonly LoadedTable[] {
  const all = [...tables.values()]
  if (all.length <= 3) return all
  const lowerSql = sql.toLowerCase()
  const named = all.filter(({ table }) => lowerSql.includes(table.toLowerCase()))
  if (named.length <= mostTables) return named
  const problem = `A query can use ${mostTables} tables, and this one names ${named.length}.`
  throw new ToolError('invalid_args', problem)
}
