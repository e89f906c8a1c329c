import variant from '@jitl/quickjs-wasmfile-release-sync'
import type { Execute } from '@offthread/core/worker'
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'
import { runCode } from './run-code.ts'
import type { runJs } from './run-js-definition.ts'

const execute: Execute<typeof runJs> = async ({ code, seconds }, { resources, log }) => {
  const { wasm: wasmModule } = resources
  const own =
    wasmModule instanceof WebAssembly.Module ? newVariant(variant, { wasmModule }) : variant
  const quickjs = await newQuickJSWASMModuleFromVariant(own)
  return runCode({ quickjs, code, limitMs: seconds * 1000, onLine: log })
}

export default execute
