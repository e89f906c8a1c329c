import { isKind } from '../port.ts'

/** A Blob, or its content: a private window of WebKit stores no Blobs. */
export type StoredBytes = Blob | HeldBytes

interface HeldBytes {
  readonly size: number
  readonly type: string
  readonly buffer: ArrayBuffer
}

export function toBlob(stored: StoredBytes): Blob {
  return stored instanceof Blob ? stored : new Blob([stored.buffer], { type: stored.type })
}

/** Writes a Blob, or its content if that fails. `null` stands for no bytes. */
export async function writeBlob(
  data: Blob | null,
  write: (stored: StoredBytes | null) => Promise<void>,
): Promise<void> {
  try {
    await write(data)
  } catch (error) {
    // WebKit gives this failure no name of its own.
    if (!data || !isKind(error, 'unknown')) throw error
    const { size, type } = data
    await write({ size, type, buffer: await data.arrayBuffer() })
  }
}
