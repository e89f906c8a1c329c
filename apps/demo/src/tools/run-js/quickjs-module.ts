import wasmUrl from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { lazyWasm } from '../lazy-wasm.ts'

export const quickjsModule = lazyWasm(wasmUrl, 'QuickJS')
