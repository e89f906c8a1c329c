import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import sqlite3InitModule from '@sqlite.org/sqlite-wasm'

/** Emscripten's hook to bring one's own instance. The package has it but does not declare it. */
interface EmscriptenOptions {
  readonly instantiateWasm?: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => object
}

const init: (options?: EmscriptenOptions) => Promise<Sqlite3Static> = sqlite3InitModule

/** Starts SQLite on a module that was compiled before. Without one it fetches and compiles its own. */
export function startSqlite(module: unknown): Promise<Sqlite3Static> {
  if (!(module instanceof WebAssembly.Module)) return init()
  return new Promise((resolve, reject) => {
    const instantiateWasm: EmscriptenOptions['instantiateWasm'] = (imports, done) => {
      // The hook has no way to report a failure: SQLite would wait for ever.
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module), reject)
      return {}
    }
    init({ instantiateWasm }).then(resolve, reject)
  })
}
