import type { RawAnswer, RawCall } from './raw-worker.ts'
import { perform, stamp } from './ways.ts'

/** A worker with nothing between it and its page. */
async function answer(at: number, { request, as }: RawCall): Promise<void> {
  const { bytes } = request.resources
  const value = await perform(request.input.how, {
    at,
    bytes: bytes instanceof ArrayBuffer ? bytes : undefined,
    report: (text) => post({ type: 'text', text }),
  })
  if (value instanceof ArrayBuffer && as === 'blob')
    post({ type: 'done', value: new Blob([value]) })
  else if (value instanceof ArrayBuffer) post({ type: 'done', value }, [value])
  else post({ type: 'done', value })
}

function post(message: RawAnswer, transfer: Transferable[] = []): void {
  postMessage(message, { transfer })
}

addEventListener('message', ({ data }: MessageEvent<RawCall>) => {
  const at = stamp()
  void answer(at, data)
})
post({ type: 'ready' })
