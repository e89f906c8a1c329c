import type { ImageLimits } from './fit-image.ts'
import type { FitRequest } from './fit-image.worker.ts'

/** A hook may take 10 s, and after this the request goes without the image. */
const patienceMs = 8000

/** Makes an image fit for a model, off the page's thread. `null` if it cannot be read, or not in time. */
export function fitInWorker(image: Blob, limits: ImageLimits): Promise<Blob | null> {
  const worker = new Worker(new URL('./fit-image.worker.ts', import.meta.url), { type: 'module' })
  return new Promise<Blob | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), patienceMs)
    const end = (fitted: Blob | null): void => {
      clearTimeout(timer)
      resolve(fitted)
    }
    worker.addEventListener('message', ({ data }: MessageEvent<Blob | null>) => end(data))
    worker.addEventListener('error', () => end(null))
    const request: FitRequest = { image, limits }
    worker.postMessage(request)
  }).finally(() => worker.terminate())
}
