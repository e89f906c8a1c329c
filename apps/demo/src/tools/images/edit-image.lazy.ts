import { type Execute, ToolError, toolResult } from '@offthread/core/worker'
import { textOfError } from '../../text/error-text.ts'
import { formatBytes } from '../../text/quantity.ts'
import type { editImage } from './edit-image-definition.ts'
import { layoutEdit } from './layout-edit.ts'

const execute: Execute<typeof editImage> = async (edit, context) => {
  const { file } = context.resources
  if (!(file instanceof Blob)) throw new ToolError('not_found', `There is no file "${edit.file}".`)
  const image = await decode(file, edit.file)
  const { crop, width, height, drawn, turns } = layoutEdit(edit, image)
  const canvas = new OffscreenCanvas(width, height)
  const drawing = canvas.getContext('2d')
  if (!drawing) throw new ToolError('failed', 'This browser cannot draw outside of its page.')
  const filters = [
    ...(edit.grayscale ? ['grayscale(1)'] : []),
    ...(edit.blur === undefined ? [] : [`blur(${edit.blur}px)`]),
  ]
  if (filters.length > 0) {
    if (!('filter' in drawing))
      throw new ToolError('failed', 'This browser has no filters for images.')
    drawing.filter = filters.join(' ')
  }
  // A format without transparency is white there, not black.
  if (edit.format === 'jpeg') {
    drawing.fillStyle = 'white'
    drawing.fillRect(0, 0, width, height)
  }
  drawing.imageSmoothingQuality = 'high'
  drawing.translate(width / 2, height / 2)
  drawing.rotate((turns * Math.PI) / 2)
  const { x, y } = { x: -drawn.width / 2, y: -drawn.height / 2 }
  drawing.drawImage(image, crop.x, crop.y, crop.width, crop.height, x, y, drawn.width, drawn.height)
  image.close()
  const data = await canvas.convertToBlob({
    type: `image/${edit.format}`,
    ...(edit.quality !== undefined && { quality: edit.quality }),
  })
  // A browser that cannot write a format writes PNG.
  if (data.type !== `image/${edit.format}`)
    throw new ToolError('failed', `This browser cannot write ${edit.format}. Choose png.`)
  const name = `${edit.file.replace(/\.[^.]*$/, '')}-edited.${edit.format.replace('jpeg', 'jpg')}`
  return toolResult({
    content: `${name}: ${width} × ${height} pixels, ${formatBytes(data.size)}. The card of this call has the file.`,
    output: { file: edit.file, name, width, height, bytes: data.size },
    artifacts: [{ name, mediaType: data.type, data }],
  })
}

export default execute

async function decode(file: Blob, name: string): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file)
  } catch (cause) {
    const problem = `${name} cannot be read as an image (${textOfError(cause)}).`
    throw new ToolError('failed', `${problem} PNG, JPEG, WebP, GIF, AVIF and BMP can be.`, {
      cause,
    })
  }
}
