import { defineTool } from '@offthread/core'
import { z } from 'zod'

const pixels = z.int().min(1).max(16_384)

export const editImage = defineTool({
  name: 'edit_image',
  label: 'Edit image',
  description:
    'Edits an image that the user dropped (PNG, JPEG, WebP, GIF, AVIF, BMP), and gives a new file; the dropped one stays as it is. In this order: crop, resize, rotate, then the filters. With one of width and height the other follows. Without any change but a format it converts.',
  inputSchema: z.object({
    file: z.string().min(1).describe('The name of a dropped image, exactly as it was attached.'),
    crop: z
      .object({ x: z.int().min(0), y: z.int().min(0), width: pixels, height: pixels })
      .optional()
      .describe('A part of the image, in its pixels.'),
    width: pixels.optional(),
    height: pixels.optional(),
    rotate: z
      .union([z.literal(90), z.literal(180), z.literal(270)])
      .optional()
      .describe('Degrees, clockwise.'),
    grayscale: z.boolean().optional(),
    blur: z.number().positive().max(200).optional().describe('Radius in pixels of the result.'),
    format: z.enum(['png', 'jpeg', 'webp']).default('png'),
    quality: z.number().min(0).max(1).optional().describe('For jpeg and webp.'),
  }),
  outputSchema: z.object({
    file: z.string(),
    /** The name of the new image. */
    name: z.string(),
    width: z.number(),
    height: z.number(),
    bytes: z.number(),
  }),
  effects: 'none',
  timeoutMs: 2 * 60_000,
})
