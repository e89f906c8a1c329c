import { fitImage, type ImageLimits } from './fit-image.ts'

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
