import wasmUrl from '@sqlite.org/sqlite-wasm/sqlite3.wasm?url'
import { lazyWasm } from './lazy-wasm.ts'

export const sqliteModule = lazyWasm(wasmUrl, 'SQLite')
