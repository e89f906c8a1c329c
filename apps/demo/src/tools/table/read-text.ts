import { ToolError } from '@offthread/core/worker'
import { textOfError } from '../../text/error-text.ts'

// A browser may deliver megabytes at once. Smaller pieces allow progress and a stop in between.
const pieceSize = 262_144

/**
 * Reads a whole file as UTF-8, without its byte order mark. `read` counts the bytes up to the end of a piece. After the
 * `last` piece, which is empty, none follows. Throws if the file is not text.
 */
export async function* readText(file: Blob) {
  const decode = createDecoder()
  let read = 0
  for await (const chunk of readChunks(file)) {
    for (let at = 0; at < chunk.length; at += pieceSize) {
      const bytes = chunk.subarray(at, at + pieceSize)
      read += bytes.length
      yield { text: decode(bytes), read, last: false }
    }
  }
  decode()
  yield { text: '', read, last: true }
}

export type Head = Awaited<ReturnType<typeof readHead>>

/**
 * Reads the first bytes of a file, 256 KB unless it says otherwise, in which its header must end. Throws if it is empty or
 * known not to be text.
 */
export async function readHead(file: Blob, size: number = pieceSize) {
  const buffer = await readable(() => file.slice(0, size).arrayBuffer())
  const bytes = new Uint8Array(buffer)
  rejectBinary(bytes)
  return { text: createDecoder()(bytes), whole: bytes.length === file.size }
}

export async function* readChunks(file: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = file.stream().getReader()
  try {
    for (;;) {
      const { done, value } = await readable(() => reader.read())
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function readable<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (cause) {
    const problem =
      'The file cannot be read. It may have been moved or changed after it was dropped'
    throw new ToolError('failed', `${problem}; drop it again. (${textOfError(cause)})`, { cause })
  }
}

function rejectBinary([first, second, third = 0xff]: Uint8Array): void {
  if (first === undefined) throw new ToolError('failed', 'The file is empty.')
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new ToolError('failed', 'The file is in UTF-16. Save it as UTF-8 and drop it again.')
  }
  if (first === 0x50 && second === 0x4b && third < 9) {
    const what = 'The file is a ZIP archive or a spreadsheet (such as .xlsx).'
    throw new ToolError('failed', `${what} Export it as CSV and drop that.`)
  }
}

/** Creates a decoder for consecutive chunks. A call without bytes ends the text. */
function createDecoder(): (bytes?: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let offset = 0
  return (bytes = new Uint8Array(0)) => {
    const zero = bytes.indexOf(0)
    if (zero >= 0) {
      throw new ToolError(
        'failed',
        `The file is not text: it has a zero byte at byte ${offset + zero}. Is it a binary file?`,
      )
    }
    try {
      const text = decoder.decode(bytes, { stream: bytes.length > 0 })
      offset += bytes.length
      return text
    } catch (cause) {
      const problem = `The file is not valid UTF-8 near ${nearby(bytes, offset)}.`
      throw new ToolError('failed', `${problem} Save it as UTF-8 and drop it again.`, { cause })
    }
  }
}

function nearby(bytes: Uint8Array, offset: number): string {
  // The text before the first replacement character is valid.
  const [before = ''] = new TextDecoder().decode(bytes).split('\uFFFD')
  const context = before.slice(-20).trim()
  const between = `byte ${offset} and ${offset + bytes.length}`
  return context ? `${JSON.stringify(context)} (between ${between})` : between
}
