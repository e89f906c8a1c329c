import { ToolError } from '@offthread/core/worker'
import { textOf } from './batch.ts'

export interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Bytes of the file up to the end of this piece. */
  readonly read: number
}

const pieceSize = 262_144

/** Reads a file from `start` in pieces of at most 256 KB and makes sure that they are text in UTF-8. */
export async function* readPieces(file: Blob, start: number): AsyncGenerator<Piece> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let read = start
  for await (const chunk of readChunks(file.slice(start))) {
    for (let at = 0; at < chunk.length; at += pieceSize) {
      const bytes = chunk.subarray(at, at + pieceSize)
      checkText(() => decoder.decode(bytes, { stream: true }), bytes, read)
      read += bytes.length
      yield { bytes, read }
    }
  }
  checkText(() => decoder.decode(), new Uint8Array(0), read)
}

/** The first bytes of a file. */
export async function readHead(file: Blob, size: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, size).arrayBuffer())
  } catch (cause) {
    throw unreadable(cause)
  }
}

/** Throws if the first bytes of a file are no text in UTF-8. The last character may be incomplete. */
export function assertText(bytes: Uint8Array): void {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  checkText(() => decoder.decode(bytes, { stream: true }), bytes, 0)
}

/** The bytes of a file as they come. */
export async function* readChunks(file: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = file.stream().getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw unreadable(cause)
      })
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function unreadable(cause: unknown): ToolError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new ToolError(
    'failed',
    `The file cannot be read. It may have been moved or changed after it was dropped; drop it again. (${reason})`,
    { cause },
  )
}

function checkText(decode: () => unknown, bytes: Uint8Array, offset: number): void {
  const zero = bytes.indexOf(0)
  if (zero >= 0) {
    throw new ToolError(
      'failed',
      `The file is not text: it has a zero byte at byte ${offset + zero}. Is it a binary file?`,
    )
  }
  try {
    decode()
  } catch (cause) {
    throw new ToolError(
      'failed',
      `The file is not valid UTF-8 near ${nearby(bytes, offset)}. Save it as UTF-8 and drop it again.`,
      { cause },
    )
  }
}

function nearby(bytes: Uint8Array, offset: number): string {
  // The replacement character shows where the bytes stop being text.
  const bad = textOf(bytes, 0, bytes.length).indexOf('\uFFFD')
  const context = textOf(bytes, 0, bytes.length).slice(Math.max(0, bad - 20), Math.max(0, bad))
  const between = `byte ${offset} and ${offset + bytes.length}`
  return context.trim() ? `${JSON.stringify(context.trim())} (between ${between})` : between
}
