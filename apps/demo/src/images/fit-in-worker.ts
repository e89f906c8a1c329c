import type { FitRequest, ImageLimits } from './fit-image.worker.ts'

/** Milliseconds for one image. After that the request is sent without it. */
const usualPatienceMs = 8000

/** How many images are decoded at once: each takes a worker, and four bytes for each pixel. */
const mostAtOnce = 2

/** The last image in each of the queues. */
const lines: Promise<unknown>[] = Array.from({ length: mostAtOnce }, () => Promise.resolve())
let count = 0

/** Makes an image fit for a model, off the page's thread. `null` if it cannot be read, or not in time. */
export function fitInWorker(
  image: Blob,
  limits: ImageLimits,
  patienceMs: number = usualPatienceMs,
): Promise<Blob | null> {
  const line = count % mostAtOnce
  count += 1
  const fitted = Promise.resolve(lines[line]).then(() => fitOne({ image, limits }, patienceMs))
  lines[line] = fitted
  return fitted
}

/** Never rejects. */
function fitOne(request: FitRequest, patienceMs: number): Promise<Blob | null> {
  const worker = new Worker(new URL('./fit-image.worker.ts', import.meta.url), { type: 'module' })
  return new Promise<Blob | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), patienceMs)
    const end = (fitted: Blob | null): void => {
      clearTimeout(timer)
      resolve(fitted)
    }
    worker.addEventListener('message', ({ data }: MessageEvent<Blob | null>) => end(data))
    worker.addEventListener('error', () => end(null))
    worker.postMessage(request)
  }).finally(() => worker.terminate())
}
