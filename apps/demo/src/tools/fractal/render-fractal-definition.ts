import { defineTool } from '@offthread/core'
import { z } from 'zod'

const parts = (what: string) => z.int().min(1).max(8).describe(what)

export const renderFractal = defineTool({
  name: 'render_fractal',
  label: 'Fractal tile',
  description:
    'Computes one tile of a picture of the Mandelbrot set. Call it once for each tile of the grid, all in the same turn: the tiles are computed side by side, and the user sees them put together.',
  inputSchema: z.object({
    column: z.int().min(0).max(7).describe('Which tile of the grid, from 0 at the left.'),
    row: z.int().min(0).max(7).describe('Which tile of the grid, from 0 at the top.'),
    columns: parts(
      'Tiles side by side. The same for all tiles of a picture, as all below.',
    ).default(4),
    rows: parts('Tiles one below the other.').default(2),
    x: z.number().min(-3).max(3).default(-0.7).describe('The centre of the picture, real part.'),
    y: z.number().min(-3).max(3).default(0).describe('The centre of the picture, imaginary part.'),
    width: z.number().min(1e-12).max(8).default(4.8).describe('The width of the picture.'),
    iterations: z.int().min(10).max(100_000).default(3000),
  }),
  outputSchema: z.object({
    /** The size of the tile, in pixels. */
    width: z.number(),
    height: z.number(),
    /** The share of the pixels that belong to the set. */
    inside: z.number(),
  }),
  effects: 'none',
  timeoutMs: 5 * 60_000,
})
