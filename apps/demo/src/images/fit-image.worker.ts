/** The only message to the worker: an image to make smaller. */
export interface FitRequest {
  readonly image: Blob
  readonly limits: ImageLimits
}

// Decoding a large image takes seconds, in which the page would stand still.
addEventListener('message', ({ data }: MessageEvent<FitRequest>) => {
  fitImage(data.image, data.limits).then(
    (fitted) => postMessage(fitted),
    () => postMessage(null),
  )
})

/** The limits of a model for an image. A larger one costs more, and the provider makes it smaller anyway. */
export interface ImageLimits {
  /** Pixels of the longer edge. */
  readonly longEdge: number
  readonly bytes: number
}

/** Formats that every provider reads. */
const formats: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])

/** The size of an image within a limit, in the same proportions. */
function fittedSize(
  { width, height }: { readonly width: number; readonly height: number },
  longEdge: number,
): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, longEdge / Math.max(width, height))
  const toFit = (pixels: number): number => Math.max(1, Math.round(pixels * scale))
  return { width: toFit(width), height: toFit(height) }
}

/**
 * The image in a size that a model takes. Rejects for a file that is no image, and for one that is larger than the
 * browser can draw.
 */
async function fitImage(image: Blob, { longEdge, bytes }: ImageLimits): Promise<Blob> {
  const bitmap = await createImageBitmap(image)
  const { width, height } = fittedSize(bitmap, longEdge)
  const isSmall = width === bitmap.width && image.size <= bytes && formats.has(image.type)
  if (isSmall) {
    bitmap.close()
    return image
  }
  const canvas = new OffscreenCanvas(width, height)
  const drawing = canvas.getContext('2d')
  if (!drawing) throw new Error('This browser cannot draw outside of its page.')
  drawing.imageSmoothingQuality = 'high'
  drawing.drawImage(bitmap, 0, 0, width, height)
  bitmap.close()
  // A browser that cannot write WebP writes PNG, which may be too large.
  const fitted = await canvas.convertToBlob({ type: 'image/webp', quality: 0.9 })
  return fitted.size <= bytes ? fitted : canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 })
}
