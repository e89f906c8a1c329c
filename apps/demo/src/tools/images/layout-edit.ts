import { ToolError } from '@offthread/core/worker'
import type { z } from 'zod'
import type { editImage } from './edit-image-definition.ts'

interface Size {
  readonly width: number
  readonly height: number
}

type Edit = Pick<z.output<typeof editImage.inputSchema>, 'crop' | 'width' | 'height' | 'rotate'>

// Browsers make no larger canvas.
const mostPixels = 120_000_000

/** Where the parts of an edited image are: what is taken of the image, how large it is drawn, and the result. */
export function layoutEdit({ crop: wanted, rotate, width: wide, height: high }: Edit, image: Size) {
  const crop = wanted ?? { x: 0, y: 0, width: image.width, height: image.height }
  if (crop.x + crop.width > image.width || crop.y + crop.height > image.height) {
    const size = `${image.width} × ${image.height} pixels`
    throw new ToolError('invalid_args', `The part is not inside the image, which has ${size}.`)
  }
  const drawn = sizeOf({ width: wide, height: high }, crop)
  if (drawn.width * drawn.height > mostPixels)
    throw new ToolError('invalid_args', 'The result would have more than 120 million pixels.')
  const turns = (rotate ?? 0) / 90
  const isSideways = turns % 2 === 1
  const { width, height } = isSideways ? { width: drawn.height, height: drawn.width } : drawn
  return { crop, drawn, turns, width, height }
}

/** The size that was asked for; a side that was not given follows from the proportions. */
function sizeOf({ width, height }: Pick<Edit, 'width' | 'height'>, crop: Size): Size {
  const ratio = crop.width / crop.height
  if (width !== undefined && height !== undefined) return { width, height }
  if (width !== undefined) return { width, height: atLeastOne(width / ratio) }
  if (height !== undefined) return { width: atLeastOne(height * ratio), height }
  return { width: crop.width, height: crop.height }
}

function atLeastOne(pixels: number): number {
  return Math.max(1, Math.round(pixels))
}
