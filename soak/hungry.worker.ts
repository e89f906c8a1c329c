import { faultTool } from '../packages/core/src/tools/fixtures/faults.fixtures.ts'
import type { ToolContext } from '../packages/core/src/tools/worker/context.ts'
import { implement, serveTools } from '../packages/core/src/worker.ts'

/** Fills its heap without end. A heartbeat continues meanwhile, so that only the worker's death makes it silent. */
async function takeObjects({ yield: letOthers }: ToolContext): Promise<never> {
  const kept: unknown[] = []
  for (;;) {
    for (let i = 0; i < 100_000; i++) kept.push({ i, text: `object ${i}` })
    await letOthers()
  }
}

/** 3 GB that are allocated and never written to. */
function takeBuffers(): string {
  const kept = Array.from({ length: 12 }, () => new ArrayBuffer(256 * 1024 * 1024))
  return `took ${kept.reduce((sum, { byteLength }) => sum + byteLength, 0)} bytes`
}

serveTools([
  implement(faultTool(), ({ how }, context) =>
    how === 'take objects' ? takeObjects(context) : takeBuffers(),
  ),
])
