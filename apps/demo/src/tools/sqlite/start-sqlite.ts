import sqlite3InitModule, { type Sqlite3Static } from '@sqlite.org/sqlite-wasm'

/** Emscripten's hook for a compiled module. The package supports it but does not declare it. */
interface EmscriptenOptions {
  readonly instantiateWasm?: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => object
}

const init: (options?: EmscriptenOptions) => Promise<Sqlite3Static> = sqlite3InitModule

/** Starts SQLite from a compiled module. Without one, it fetches and compiles its own. */
export function startSqlite(module: unknown): Promise<Sqlite3Static> {
  if (!(module instanceof WebAssembly.Module)) return init()
  return new Promise((resolve, reject) => {
    const instantiateWasm: EmscriptenOptions['instantiateWasm'] = (imports, done) => {
      // The hook cannot report a failure, so without this SQLite would wait for ever.
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module), reject)
      return {}
    }
    init({ instantiateWasm }).then(resolve, reject)
  })
}
