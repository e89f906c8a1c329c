import { CreateWebWorkerMLCEngine } from '@mlc-ai/web-llm'
import type { Model } from '@offthread/core'
import { webllm } from '@offthread/core/webllm'

/** A model that is loaded in a worker. */
export interface StartedEngine {
  readonly model: Promise<Model>
  /** Ends the worker, whatever it does, and frees its memory. */
  readonly stop: () => void
}

/** Downloads what is not in the browser's cache, and loads it. `onProgress` is called with 0 to 1. */
export function startEngine(name: string, onProgress: (loaded: number) => void): StartedEngine {
  const worker = new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module' })
  const broken = new Promise<never>((_, reject) => {
    worker.addEventListener('error', ({ message }) => reject(new Error(message)))
  })
  const engine = CreateWebWorkerMLCEngine(
    worker,
    name,
    { initProgressCallback: ({ progress }) => onProgress(progress), logLevel: 'SILENT' },
    // The descriptions of the tools alone would fill half of the usual window.
    { context_window_size: 8192 },
  )
  return {
    model: Promise.race([engine, broken]).then((loaded) => webllm(loaded, { model: name })),
    stop: () => worker.terminate(),
  }
}
