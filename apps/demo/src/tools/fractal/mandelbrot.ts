import type { z } from 'zod'
import type { renderFractal } from './render-fractal-definition.ts'

type TileOptions = z.output<typeof renderFractal.inputSchema>

/** A tile is as wide and as high as this, whatever the grid. */
export const tilePixels = 256

/** Computes a tile row by row. A row is pixels of four bytes, and how many of them are in the set. */
export function* tileRows(options: TileOptions) {
  const { column, row, columns, rows, x, y, width, iterations } = options
  const step = width / (columns * tilePixels)
  const left = x - width / 2 + column * tilePixels * step
  const top = y + (rows * tilePixels * step) / 2 - row * tilePixels * step
  for (let line = 0; line < tilePixels; line++) {
    const pixels = new Uint8ClampedArray(tilePixels * 4)
    let inside = 0
    for (let at = 0; at < tilePixels; at++) {
      const steps = escapeOf(left + (at + 0.5) * step, top - (line + 0.5) * step, iterations)
      if (steps === undefined) inside++
      pixels.set(colourOf(steps), at * 4)
    }
    yield { pixels, inside }
  }
}

/**
 * The number of steps after which a point escapes, with fractions, so that colours have no edges; `undefined` for a
 * point of the set.
 */
export function escapeOf(re: number, im: number, iterations: number): number | undefined {
  let a = 0
  let b = 0
  for (let step = 0; step < iterations; step++) {
    const aa = a * a
    const bb = b * b
    if (aa + bb > 256) return step + 1 - Math.log2(Math.log2(aa + bb) / 2)
    b = 2 * a * b + im
    a = aa - bb + re
  }
  return undefined
}

/** From deep blue through light to amber; the set itself is nearly black. */
function colourOf(steps: number | undefined): readonly number[] {
  if (steps === undefined) return [12, 14, 22, 255]
  const turn = Math.log(steps + 1) * 1.15
  const channel = (shift: number) => 128 + 118 * Math.cos(turn * 1.6 + shift)
  return [channel(3.5), channel(2.9), channel(1.9), 255]
}
