import { type Execute, ToolError, toolResult } from '@offthread/core/worker'
import { formatBytes } from '../text/quantity.ts'
import type { compressFile } from './definitions.ts'

const execute: Execute<typeof compressFile> = async ({ file: name }, context) => {
  const { file } = context.resources
  if (!(file instanceof Blob)) throw new ToolError('not_found', `There is no file "${name}".`)
  const gzip = file.stream().pipeThrough(counting(context, file.size))
  const compressed = gzip.pipeThrough(new CompressionStream('gzip'), { signal: context.signal })
  const data = await new Response(compressed).blob()
  const written = `${name}.gz`
  const sizes = `${formatBytes(file.size)} became ${formatBytes(data.size)}`
  return toolResult({
    content: `${name}: ${sizes}. The card of this call has the file ${written}.`,
    output: { file: name, bytes: file.size, name: written, compressedBytes: data.size },
    artifacts: [{ name: written, mediaType: 'application/gzip', data }],
  })
}

export default execute

type Reporter = Pick<Parameters<typeof execute>[1], 'onProgress' | 'yield'>

/** Passes bytes on, and reports how many. */
function counting(context: Reporter, total: number) {
  let value = 0
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: async (chunk, controller) => {
      controller.enqueue(chunk)
      value += chunk.length
      context.onProgress({ value, total, unit: 'bytes' })
      await context.yield()
    },
  })
}
