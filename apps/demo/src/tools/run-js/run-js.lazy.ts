import variant from '@jitl/quickjs-wasmfile-release-sync'
import type { Execute } from '@offthread/core/worker'
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'
import { type CodeJob, runCode } from './run-code.ts'
import type { runJs } from './run-js-definition.ts'

const execute: Execute<typeof runJs> = async ({ code, seconds }, { resources }) => {
  const { wasm: wasmModule } = resources
  const own =
    wasmModule instanceof WebAssembly.Module ? newVariant(variant, { wasmModule }) : variant
  const quickjs = await newQuickJSWASMModuleFromVariant(own)
  // What the worker writes to its console goes to the log of the call, with its level.
  const onLine: CodeJob['onLine'] = (line, method) => console[method](line)
  return runCode({ quickjs, code, limitMs: seconds * 1000, onLine })
}

export default execute
