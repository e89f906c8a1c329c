import type { CallRequest } from '../../packages/core/src/host.ts'

/** What is posted to a raw worker: the same as `inWorkers` posts, so that both clone the same. */
export interface RawCall {
  readonly type: 'run'
  readonly request: CallRequest & { readonly input: { readonly how: string } }
  /** How it returns bytes. */
  readonly as: 'transfer' | 'blob'
}

export type RawAnswer =
  | { readonly type: 'ready' }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'done'; readonly value: unknown }

export interface RawWorker {
  readonly ready: Promise<void>
  /** Runs one call and resolves with its result. One at a time. */
  readonly call: (how: string, options?: RawOptions) => Promise<unknown>
  readonly terminate: () => void
}

export interface RawOptions {
  readonly bytes?: ArrayBuffer
  readonly moves?: boolean
  readonly as?: RawCall['as']
  readonly onText?: (text: string) => void
}

/** `new Worker` and `postMessage`, and nothing else. */
export function startRawWorker(url = '/raw.js'): RawWorker {
  const worker = new Worker(url, { type: 'module' })
  let greet = (): void => {}
  let end = (_value: unknown): void => {}
  let onText = (_text: string): void => {}
  const ready = new Promise<void>((resolve) => {
    greet = resolve
  })
  worker.onmessage = ({ data }: MessageEvent<RawAnswer>) => {
    if (data.type === 'done') end(data.value)
    else if (data.type === 'text') onText(data.text)
    else greet()
  }
  return {
    ready,
    call: (how, { bytes, moves = false, as = 'transfer', onText: listener = () => {} } = {}) =>
      new Promise((resolve) => {
        end = resolve
        onText = listener
        worker.postMessage(rawCall(how, { bytes, as }), moves && bytes ? [bytes] : [])
      }),
    terminate: () => worker.terminate(),
  }
}

function rawCall(
  how: string,
  { bytes, as }: { readonly bytes: ArrayBuffer | undefined; readonly as: RawCall['as'] },
): RawCall {
  return {
    type: 'run',
    request: {
      executionId: 'e1',
      toolCallId: 'c1',
      toolName: 'fault',
      attempt: 1,
      input: { how },
      resources: bytes ? { bytes } : {},
    },
    as,
  }
}
