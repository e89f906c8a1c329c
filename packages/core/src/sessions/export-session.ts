import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { toBase64 } from '../internal/base64.ts'
import { emptyState, type State } from '../kernel/state.ts'
import { foldStored } from '../runtime/read-log.ts'
import { isDerived } from '../storage/derived-bytes.ts'
import { type SessionEntry, type SessionStorage, StorageError } from '../storage/port.ts'
import { readInParts } from './read-in-parts.ts'
import { SessionError } from './session-error.ts'
import { endLine, headerLine } from './session-file.ts'
import { withoutContent } from './without-content.ts'

/** The session to export. */
interface Source {
  readonly storage: SessionStorage
  readonly entry: SessionEntry
  readonly exportedAt: number
}

/** A session as a file. It is read from the storage while the stream is read. */
export function exportSession(source: Source): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = chunksOf(source)
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => {
      await chunks.return()
    },
  })
}

/** Characters of lines that are handed over at once, at least. */
const chunkChars = 64 * 1024

async function* chunksOf(source: Source): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const encoder = new TextEncoder()
  const hash = sha256.create()
  const counts = { events: 0, files: 0, leftOut: 0 }
  const first = await firstEventOf(source)
  let lines = ''
  const take = () => {
    const bytes = encoder.encode(lines)
    lines = ''
    hash.update(bytes)
    return bytes
  }
  for await (const line of linesOf(source, counts)) {
    lines += `${line}\n`
    if (lines.length >= chunkChars) yield take()
  }
  // After a deletion, what was read may be only a part of the session, or belong to the next one of its name.
  if (first !== (await firstEventOf(source))) throw deleted(source.entry)
  yield take()
  yield encoder.encode(`${endLine(counts, bytesToHex(hash.digest()))}\n`)
}

/** The first event as text: it differs in each session. */
async function firstEventOf({ storage, entry: { sessionId } }: Source): Promise<string> {
  const events = await storage.read(sessionId, 0, 1).catch(() => [])
  return lineOf('event', events[0]) ?? ''
}

function deleted({ sessionId }: SessionEntry): SessionError {
  return new SessionError(
    'unknown_session',
    `The session "${sessionId}" was deleted while it was exported. What the file has of it is not all, and cannot be imported.`,
  )
}

type Counting = Record<'events' | 'files' | 'leftOut', number>

async function* linesOf(source: Source, counts: Counting): AsyncGenerator<string, void, void> {
  yield headerLine(source.entry, source.exportedAt)
  yield* eventLines(source, counts)
  for (const key of source.entry.keys) {
    if (!isDerived(key)) yield* fileLines(source, key, counts)
  }
}

async function* eventLines(
  { storage, entry: { sessionId, events } }: Source,
  counts: Counting,
): AsyncGenerator<string, void, void> {
  let state: State | null = emptyState(sessionId)
  for await (const event of readInParts(storage, sessionId, events)) {
    const next = event && state && foldStored(state, event)
    state = next instanceof StorageError ? null : next
    const line = state && lineOf('event', event)
    if (state && line) {
      state = withoutContent(state)
      counts.events += 1
      yield line
    } else {
      // From here on no state is folded: events after a damaged one cannot be imported, but a person may find something
      // in them.
      state = null
      counts.leftOut += 1
      yield lineOf('leftOut', event) ?? lineOf('leftOut', null) ?? ''
    }
  }
}

/** Bytes of a file in one line. */
const pieceBytes = 48 * 1024

async function* fileLines(
  { storage, entry: { sessionId } }: Source,
  key: string,
  counts: Counting,
): AsyncGenerator<string, void, void> {
  try {
    const data = await storage.readBytes(sessionId, key)
    // The file was removed while the session was read.
    if (!data) return
    yield JSON.stringify({ file: { key, type: data.type, size: data.size } })
    for (let at = 0; at < data.size; at += pieceBytes) {
      const piece = await data.slice(at, at + pieceBytes).arrayBuffer()
      yield JSON.stringify({ data: toBase64(new Uint8Array(piece)) })
    }
    counts.files += 1
  } catch {
    // An incomplete export is better than none.
    counts.leftOut += 1
    yield JSON.stringify({ leftOut: { key } })
  }
}

/** A line of the file; `null` for a value that JSON cannot hold. */
function lineOf(kind: 'event' | 'leftOut', value: unknown): string | null {
  try {
    return JSON.stringify({ [kind]: value })
  } catch {
    return null
  }
}
