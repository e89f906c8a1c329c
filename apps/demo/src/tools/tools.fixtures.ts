import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Resources, ToolProgress } from '@offthread/core'
import type { ToolContext } from '@offthread/core/worker'

/** A context that records what a tool reports. */
export interface TestContext {
  readonly context: ToolContext
  readonly progress: ToolProgress[]
  readonly updates: Parameters<ToolContext['onUpdate']>[0][]
  readonly logs: string[]
  readonly stop: () => void
}

export function createTestContext(resources: Resources = {}): TestContext {
  const controller = new AbortController()
  const progress: ToolProgress[] = []
  const updates: Parameters<ToolContext['onUpdate']>[0][] = []
  const logs: string[] = []
  return {
    progress,
    updates,
    logs,
    stop: () => controller.abort(new DOMException('Stopped.', 'AbortError')),
    context: {
      toolCallId: 'call',
      toolName: 'tool',
      attempt: 1,
      signal: controller.signal,
      resources,
      context: undefined,
      onUpdate: (update) => updates.push(update),
      onProgress: (reported) =>
        progress.push(typeof reported === 'string' ? { message: reported } : reported),
      log: (...values) => logs.push(values.join(' ')),
      custom: () => undefined,
      yield: async () => {
        await new Promise((resolve) => setTimeout(resolve))
        controller.signal.throwIfAborted()
      },
    },
  }
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** A file that is delivered in pieces of the given size. */
export class PiecewiseFile extends Blob {
  readonly #pieceSize: number
  readonly #bytes: Uint8Array<ArrayBuffer>

  constructor(bytes: Uint8Array<ArrayBuffer>, pieceSize: number) {
    super([bytes])
    this.#bytes = bytes
    this.#pieceSize = pieceSize
  }

  override slice(start = 0, end = this.#bytes.length): Blob {
    return new PiecewiseFile(this.#bytes.slice(start, end), this.#pieceSize)
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const bytes = this.#bytes
    const size = this.#pieceSize
    let at = 0
    return new ReadableStream({
      pull: (controller) => {
        if (at >= bytes.length) return controller.close()
        controller.enqueue(bytes.slice(at, at + size))
        at += size
      },
    })
  }
}

const { resolve } = createRequire(import.meta.url)

/** WebAssembly from the disk, in place of what the page fetches. */
export const modulesOnDisk = {
  sqlite: fromDisk('@sqlite.org/sqlite-wasm/sqlite3.wasm'),
  quickjs: fromDisk('@jitl/quickjs-wasmfile-release-sync/wasm'),
}

function fromDisk(name: string): () => Promise<WebAssembly.Module> {
  let compiled: Promise<WebAssembly.Module> | undefined
  return () => (compiled ??= WebAssembly.compile(readFileSync(resolve(name))))
}
