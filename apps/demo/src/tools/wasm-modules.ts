import quickjsUrl from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import sqliteUrl from '@sqlite.org/sqlite-wasm/sqlite3.wasm?url'

/**
 * WebAssembly that is fetched and compiled once, on the page, with the first call that needs it. A compiled module is
 * posted to a worker without being copied or compiled again, so a single-use worker starts it in a few milliseconds.
 */
function lazyWasm(address: string, name: string): () => Promise<WebAssembly.Module> {
  let compiled: Promise<WebAssembly.Module> | undefined
  return () => {
    compiled ??= compile(address, name).catch((error: unknown) => {
      // A later call tries again.
      compiled = undefined
      throw error
    })
    return compiled
  }
}

async function compile(address: string, name: string): Promise<WebAssembly.Module> {
  const response = await fetch(address)
  if (!response.ok)
    throw new Error(`${name} cannot be fetched: the server says ${response.status}.`)
  const isWasm = response.headers.get('content-type')?.startsWith('application/wasm')
  // Some static hosts send another type, for which browsers refuse to compile a stream.
  return isWasm
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer())
}

export const quickjsModule = lazyWasm(quickjsUrl, 'QuickJS')

export const sqliteModule = lazyWasm(sqliteUrl, 'SQLite')
