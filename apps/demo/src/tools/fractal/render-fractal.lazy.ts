import { type Execute, toolResult } from '@offthread/core/worker'
import { tilePixels, tileRows } from './mandelbrot.ts'
import type { renderFractal } from './render-fractal-definition.ts'

const execute: Execute<typeof renderFractal> = async (options, context) => {
  const image = new ImageData(tilePixels, tilePixels)
  let done = 0
  let found = 0
  for (const { pixels, inside } of tileRows(options)) {
    image.data.set(pixels, done * pixels.length)
    found += inside
    done++
    context.onProgress({ value: done, total: tilePixels, unit: 'lines' })
    await context.yield()
  }
  const canvas = new OffscreenCanvas(tilePixels, tilePixels)
  canvas.getContext('2d')?.putImageData(image, 0, 0)
  const data = await canvas.convertToBlob({ type: 'image/png' })
  const share = Math.round((found / tilePixels ** 2) * 1000) / 1000
  return toolResult({
    // All tiles have the same text, so that the planner says it once.
    content: 'Drawn. The card of the last tile shows all tiles put together.',
    output: { width: tilePixels, height: tilePixels, inside: share },
    artifacts: [
      { name: `tile-${options.column}-${options.row}.png`, mediaType: 'image/png', data },
    ],
  })
}

export default execute
