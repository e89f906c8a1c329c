import type { ArtifactInput } from './tool-result.ts'

/**
 * Whether the buffers in a result are copied, because the tool may go on to write into them, or moved, because they
 * leave the thread.
 */
export type ResultBytes = 'copied' | 'moved'

/**
 * The bytes of a result's artifacts, copied or moved, so that the tool cannot change them any more. Parts of buffers
 * are copied, and so are buffers that cannot be moved, because they belong to WebAssembly or to several threads. Throws
 * a `TypeError` for a value that is no bytes.
 */
export function takeBytes(
  artifacts: readonly ArtifactInput[],
  bytes: ResultBytes,
): readonly (Blob | ArrayBuffer)[] {
  const wholes = artifacts.map((one) => (bytes === 'moved' ? wholeBuffer(one) : null))
  // Parts of a buffer are copied before the buffer is moved.
  const copies = artifacts.map((one, at) => (wholes[at] ? null : copyOf(one)))
  const moved = new Map<ArrayBuffer, ArrayBuffer>()
  return artifacts.map((one, at) => {
    const whole = wholes[at]
    const own = copies[at] ?? (whole && (moved.get(whole) ?? move(whole, one)))
    if (!own) throw noBytes(one)
    if (whole && own instanceof ArrayBuffer) moved.set(whole, own)
    return own
  })
}

function wholeBuffer({ data }: ArtifactInput): ArrayBuffer | null {
  const buffer = ArrayBuffer.isView(data) ? data.buffer : data
  // No Blob can be made of a buffer that may still grow.
  if (!(buffer instanceof ArrayBuffer) || Reflect.get(buffer, 'resizable')) return null
  return data === buffer || (ArrayBuffer.isView(data) && data.byteLength === buffer.byteLength)
    ? buffer
    : null
}

function move(buffer: ArrayBuffer, { name }: ArtifactInput): ArrayBuffer {
  if (isDetached(buffer)) {
    throw new TypeError(
      `the data of the artifact ${JSON.stringify(String(name))} has moved to the page with an earlier result: return a copy of what is needed again`,
    )
  }
  try {
    return structuredClone(buffer, { transfer: [buffer] })
  } catch {
    return buffer.slice()
  }
}

/** A buffer that was moved looks like an empty one. */
function isDetached(buffer: ArrayBuffer): boolean {
  try {
    return new Uint8Array(buffer).length < 0
  } catch {
    return true
  }
}

function copyOf(artifact: ArtifactInput): Blob | ArrayBuffer {
  const data: unknown = artifact.data
  if (data instanceof Blob) return data
  if (typeof data === 'string') return bytesOf(data)
  if (isBuffer(data) || isShared(data)) return new Uint8Array(data).slice().buffer
  if (!ArrayBuffer.isView(data)) throw noBytes(artifact)
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice().buffer
}

/** The encoder's buffer has exactly the bytes of the text. In the jsdom of Jest it is one of another realm. */
export function bytesOf(text: string): ArrayBuffer {
  const bytes = new TextEncoder().encode(text)
  return bytes.buffer instanceof ArrayBuffer ? bytes.buffer : new Uint8Array(bytes).buffer
}

function isBuffer(data: unknown): data is ArrayBuffer {
  return Object.prototype.toString.call(data) === '[object ArrayBuffer]'
}

/** The class is missing on a page that is not isolated from other origins. */
function isShared(data: unknown): data is SharedArrayBuffer {
  return typeof SharedArrayBuffer !== 'undefined' && data instanceof SharedArrayBuffer
}

function noBytes({ name }: ArtifactInput): TypeError {
  return new TypeError(
    `the data of the artifact ${JSON.stringify(String(name))} must be a Blob, a buffer, a view of one, or a string`,
  )
}
