import { benchTool } from './bench-tool.ts'
import type { RawAnswer, RawCall } from './raw-worker.ts'
import { stamp } from './ways.ts'

/** A raw worker that does the necessary part: it finds its tool, and checks the input against the schema. */
async function answer({ request }: RawCall): Promise<void> {
  const checked = await benchTool.inputSchema['~standard'].validate(request.input)
  if (checked.issues) throw new Error('The input does not fit.')
  post({ type: 'done', value: stamp() })
}

function post(message: RawAnswer): void {
  postMessage(message)
}

addEventListener('message', ({ data }: MessageEvent<RawCall>) => void answer(data))
post({ type: 'ready' })
