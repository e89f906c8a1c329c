import wasmUrl from '@sqlite.org/sqlite-wasm/sqlite3.wasm?url'

let compiled: Promise<WebAssembly.Module> | undefined

/**
 * SQLite, compiled once on the page. A compiled module is posted to a worker without being copied or compiled
 * again, so a single-use worker starts SQLite in a few milliseconds.
 */
export function sqliteModule(): Promise<WebAssembly.Module> {
  compiled ??= compile().catch((error: unknown) => {
    // A later call tries again.
    compiled = undefined
    throw error
  })
  return compiled
}

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(wasmUrl)
  if (!response.ok) throw new Error(`SQLite cannot be fetched: the server says ${response.status}.`)
  const isWasm = response.headers.get('content-type')?.startsWith('application/wasm')
  // Some static hosts send another type, for which browsers refuse to compile a stream.
  return isWasm
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer())
}
